"""Emulated throughput, BOLA and DYNAMIC beside dash.js itself in the same cells, and the cost.

Cells: a steady link, steps down and up, a sawtooth and an outage, each alone with one client. A
decision is the level that a segment was asked for in first. `equal`: to that of the
emulated player for the same segment. `fed`: of the emulated rule, where it is given the moments,
buffers and downloads of dash.js. `as_it_is`: with what the emulation has not, segments that are
replaced and requests that are abandoned; else both are off. Bitrates and stalls: emulated, dash.js,
dash.js as it is. Wall time in pairs, one after
the other.
"""

from __future__ import annotations

import sys
import time
from typing import Any

from weir.dashjs import VERSIONS
from weir_bench import decisions
from weir_bench.common import middle, played, require_kernel, show
from weir_bench.decisions import Row
from weir_lab import players
from weir_lab.collect import CellResult

PAIRS = 5
SEGMENT_S, BUFFER_S = 2.0, 20.0
LADDER_BPS = [248e3, 456e3, 928e3, 1632e3, 4256e3]
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
ALIKE = {
    "streaming.buffer.fastSwitchEnabled": False,
    "streaming.abr.rules.abandonRequestsRule.active": False,
}


def main(json: bool = False) -> int:
    """Print the shares of equal decisions and the first difference of each cell, and the cost."""
    require_kernel()
    players.fetch()
    found: dict[str, Any] = {}
    for link, rate in LINKS.items():
        for rule, active in ACTIVE.items():
            emulated = played(_document(rate, {"player": rule}))
            rules = {f"streaming.abr.rules.{name}.active": name in active
                     for name in ("throughputRule", "bolaRule")}  # fmt: skip
            alike, as_it_is = (
                played(_document(rate, {"player": "dashjs", "options": {
                    "version": VERSIONS[-1], "settings": {**rules, **more}}}))
                for more in (ALIKE, {})
            )  # fmt: skip
            found[f"{link} {rule}"] = _compared(rule, emulated, alike, as_it_is)
    found |= _cost()
    show(found, json)
    return 0


def _document(rate: Any, client: dict[str, Any]) -> dict[str, Any]:
    steps = [{"at": f"{at}s", "rate": each} for at, each in rate] if isinstance(rate, list) else []
    return {
        "name": "players",
        "experiment": {
            "duration": "60s",
            "content": {
                "ladder": [f"{rate_bps:.0f}bit/s" for rate_bps in LADDER_BPS],
                "segment": f"{SEGMENT_S}s",
            },
            "gateway": {
                "downlink": {"rate": {"steps": steps} if steps else rate},
                "path": {"rtt": {"mean": "100ms"}},
            },
            "clients": [{"buffer": f"{BUFFER_S}s", **client}],
        },
        "seed": 1,
    }


def _compared(
    rule: str, emulated: CellResult, alike: CellResult, as_it_is: CellResult
) -> dict[str, Any]:
    own, its, whole = (
        decisions.rows_of(each.data.players[0]) for each in (emulated, alike, as_it_is)
    )
    ours, theirs = decisions.asked_first(own), decisions.asked_first(its)
    fed = decisions.decided_on(rule, LADDER_BPS, SEGMENT_S, BUFFER_S, its)
    unlike = [n for n, (level, _) in fed.items() if level != theirs[n]["level"]]
    off = [abs(estimate / theirs[n]["estimate_bps"] - 1)
           for n, (_, estimate) in fed.items() if estimate is not None]  # fmt: skip
    return {
        "equal": _equal(ours, theirs),
        "fed_equal": f"{len(fed) - len(unlike)} of {len(fed)}",
        "fed_unlike": unlike,
        "fed_estimate_off_percent": round(100 * middle(off), 2),
        "first": decisions.first_difference(ours, theirs),
        "request_later_s": middle(
            [theirs[n]["request_s"] - ours[n]["request_s"] for n in ours.keys() & theirs.keys()]
        ),
        "kbit_s_and_stalls_s": [_quality(rows) for rows in (own, its, whole)],
        "as_it_is_equal": _equal(ours, decisions.asked_first(whole)),
        "as_it_is_asked_again": len(whole) - len(decisions.asked_first(whole)),
    }


def _equal(ours: dict[int, Row], theirs: dict[int, Row]) -> str:
    both = ours.keys() & theirs.keys()
    return f"{sum(ours[n]['level'] == theirs[n]['level'] for n in both)} of {len(both)}"


def _quality(rows: list[Row]) -> tuple[int, float]:
    """Mean bitrate of what was asked for last of each segment, and all stalls."""
    last = {row["segment"]: row["bitrate_bps"] for row in rows if row["status"] == decisions.WHOLE}
    return round(sum(last.values()) / len(last) / 1e3), round(
        float(sum(row["stall_s"] for row in rows)), 1
    )


def _cost() -> dict[str, float]:
    """Wall time of 60 s of film at 8 Mbit/s, one client, in pairs."""
    own: list[float] = []
    its: list[float] = []
    for _ in range(PAIRS):
        for player, took in (("dynamic", own), ("dashjs", its)):
            document = _document("8Mbit/s", {"player": player})
            started = time.perf_counter()
            played(document)
            took.append(time.perf_counter() - started)
    return {
        "emulated_wall_s": middle(own),
        "dashjs_wall_s": middle(its),
        "dashjs_wall_ratio": middle([one / other for one, other in zip(its, own, strict=True)]),
    }


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
