"""Emulated throughput, BOLA and DYNAMIC beside dash.js itself in the same cells, and the cost.

Cells: a steady link, steps down and up, a sawtooth and an outage, each alone with one client. A
decision is the level of a segment; decisions are compared by segment. Wall time in pairs, one after
the other.
"""

from __future__ import annotations

import sys
import tempfile
import time
from itertools import zip_longest
from pathlib import Path
from typing import Any

from weir.dashjs import VERSIONS
from weir.expand import Expansion
from weir.spec import parse_campaign
from weir_bench.common import middle, require_kernel, show
from weir_lab import players
from weir_lab.cell import run_cell
from weir_lab.collect import CellResult

PAIRS = 5
WALL_LIMIT_S = 900.0
LADDER = ["248kbit/s", "456kbit/s", "928kbit/s", "1632kbit/s", "4256kbit/s"]
LINKS: dict[str, Any] = {
    "steady": "3Mbit/s",
    "steps": [(0, "6Mbit/s"), (20, "1Mbit/s"), (40, "6Mbit/s")],
    "sawtooth": [(at, f"{rate}kbit/s") for at, rate in
                 zip(range(0, 60, 5), [600, 1200, 2400, 4800] * 3, strict=True)],
    "outage": [(0, "5Mbit/s"), (25, "100kbit/s"), (40, "5Mbit/s")],
}  # fmt: skip
ACTIVE = {
    "dashjs-throughput": ("throughputRule",),
    "bola": ("bolaRule",),
    "dynamic": ("throughputRule", "bolaRule"),
}


def main(json: bool = False) -> int:
    """Print the share of equal decisions and the first difference of each cell, and the cost."""
    require_kernel()
    players.fetch()
    found: dict[str, Any] = {}
    for link, rate in LINKS.items():
        for rule, active in ACTIVE.items():
            emulated = _play(_document(rate, {"player": rule}))
            itself = _play(_document(rate, {"player": "dashjs", "options": _options(active)}))
            found[f"{link}_{rule}"] = _compared(emulated, itself)
    found |= _cost()
    show(found, json)
    return 0


def _options(active: tuple[str, ...]) -> dict[str, Any]:
    rules = {name: {"active": name in active} for name in ("throughputRule", "bolaRule")}
    return {"version": VERSIONS[-1], "settings": {"streaming": {"abr": {"rules": rules}}}}


def _document(rate: Any, client: dict[str, Any]) -> dict[str, Any]:
    steps = [{"at": f"{at}s", "rate": each} for at, each in rate] if isinstance(rate, list) else []
    return {
        "name": "players",
        "experiment": {
            "duration": "60s",
            "content": {"ladder": LADDER, "segment": "2s"},
            "gateway": {
                "downlink": {"rate": {"steps": steps} if steps else rate},
                "path": {"rtt": {"mean": "100ms"}},
            },
            "clients": [{"buffer": "20s", **client}],
        },
        "seed": 1,
    }


def _play(document: dict[str, Any]) -> CellResult:
    run = next(Expansion(parse_campaign(document, Path())).runs())
    with tempfile.TemporaryDirectory() as folder:
        return run_cell(run.experiment, run.seed, require_kernel(), Path(folder), WALL_LIMIT_S)


def _levels(result: CellResult) -> dict[int, tuple[int, float]]:
    """By segment: the level that came whole, and when it was asked for."""
    (rows,) = result.data.players
    each = zip(rows["segment"], rows["level"], rows["request_s"], rows["status"], strict=True)
    return {int(n): (int(level), float(at)) for n, level, at, status in each if status == 206}


def _compared(emulated: CellResult, itself: CellResult) -> str:
    ours, theirs = _levels(emulated), _levels(itself)
    both = sorted(ours.keys() & theirs.keys())
    equal = sum(ours[n][0] == theirs[n][0] for n in both)
    first = next((n for n in both if ours[n][0] != theirs[n][0]), None)
    said = f"{equal} of {len(both)} equal"
    stalls = [result.data.players[0]["stall_s"].sum() for result in (emulated, itself)]
    means = [result.data.players[0]["bitrate_bps"].mean() / 1e3 for result in (emulated, itself)]
    if first is not None:
        (level, at_s), (its_level, its_at_s) = ours[first], theirs[first]
        why = [each for each in itself.data.events
               if each["event"] == "level-chosen" and each["t_s"] <= its_at_s + 1e-6]  # fmt: skip
        said += f"; first: segment {first}, {level} at {at_s:.2f} s, {its_level} at {its_at_s:.2f}"
        said += f" s ({why[-1]['reason'] if why else 'none'})"
    said += f"; mean {means[0]:.0f} and {means[1]:.0f} kbit/s"
    return said + f", stalls {stalls[0]:.1f} and {stalls[1]:.1f} s"


def _cost() -> dict[str, float]:
    """Wall time of 60 s of film at 8 Mbit/s, one client, in pairs."""
    own: list[float] = []
    its: list[float] = []
    for _ in range(PAIRS):
        for player, took in (("dynamic", own), ("dashjs", its)):
            document = _document("8Mbit/s", {"player": player})
            started = time.perf_counter()
            _play(document)
            took.append(time.perf_counter() - started)
    ratios = [one / other for one, other in zip_longest(its, own)]
    return {
        "emulated_wall_s": middle(own),
        "dashjs_wall_s": middle(its),
        "dashjs_wall_ratio": middle(ratios),
    }


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
