"""Nights in which nothing but the seeds changed, and what is said of them."""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import yaml
from weir_bench.common import show
from weir_engine import rows
from weir_engine.differing_files import differing_files
from weir_engine.regression import SHOWN, effects, judge, pair
from weir_engine.row import Row
from weir_engine.store import Store
from weir_lab.kernel import cache

__all__ = ["Size", "watch"]

_NIGHT: Final = 24
"""Replicates."""
_AT_MOST: Final = 0.01
_WALL_LIMIT_S: Final = "3600"
"""Beside whatever else the machine does."""
_OF_THE_HOST: Final = frozenset({"host.json", "run.json"})
_CAMPAIGN: Final[dict[str, Any]] = {
    "name": "nights",
    "experiment": {
        "duration": "12s",
        "content": {
            "ladder": ["300kbit/s", "600kbit/s", "1.2Mbit/s", "2.4Mbit/s", "4.8Mbit/s"],
            "segment": "2s",
        },
        "server": {"congestion_control": "cubic"},
        "gateway": {
            "downlink": {
                "rate": "4Mbit/s",
                "queue": {"discipline": "drop-tail", "limit": "1bdp"},
            },
            "path": {"rtt": {"mean": "40ms", "stddev": "5ms"}},
        },
        "clients": [{"player": "dynamic", "count": 2, "buffer": "8s"}],
    },
    "seed": 1,
}


@dataclass(frozen=True)
class Size:
    """Nights: real, whose runs are theirs alone; drawn; run again with the same seeds."""

    real: int
    drawn: int
    again: int


def watch(size: Size, as_json: bool) -> int:
    """Print how many nights raise an alarm; 1 where more than one in a hundred does."""
    started = time.perf_counter()
    replicates = _NIGHT * (size.real + 1)
    pool = _carried_out(cache.root() / "bench" / "nights", replicates)
    with tempfile.TemporaryDirectory() as folder:
        again = _carried_out(Path(folder), _NIGHT * size.again)
        differing = sum(
            bool(differing_files(one.path, other.path, _OF_THE_HOST))
            for one, other in zip(pool, again, strict=False)
        )
    nights = [pool[first : first + _NIGHT] for first in range(0, len(pool), _NIGHT)]
    real = [_alarms(before, night) for before, night in pairwise(nights)]
    draw = random.Random(1)
    drawn = [_alarms(*_two_of(draw.sample(pool, 2 * _NIGHT))) for _ in range(size.drawn)]
    show(
        {
            "nights_really_run": len(real),
            "with_an_alarm": sum(bool(each) for each in real),
            "nights_drawn": len(drawn),
            "drawn_with_an_alarm": sum(bool(each) for each in drawn),
            "runs_again": len(again),
            "runs_again_that_differ": differing,
            "metrics": len({name for row in pool for name in row.measured}),
            "wall_s": round(time.perf_counter() - started),
        },
        as_json,
    )
    most = _AT_MOST * (len(real) + len(drawn))
    return 1 if differing or sum(bool(each) for each in (*real, *drawn)) > most else 0


def _carried_out(store: Path, replicates: int) -> list[Row]:
    """Runs by replicate; those that are there are not run again."""
    store.mkdir(parents=True, exist_ok=True)
    campaign = store / "nights.yaml"
    campaign.write_text(yaml.safe_dump({**_CAMPAIGN, "replicates": replicates}))
    weir = Path(sys.executable).with_name("weir")
    command = [str(weir), "run", str(campaign), "--yes", "--wall-limit", _WALL_LIMIT_S]
    subprocess.run(
        [*command, "--store", str(store / "store")], check=True, stdout=subprocess.DEVNULL
    )
    found = Store(store / "store")
    return sorted(rows.read(found, found.read_campaign("nights")), key=lambda row: row.replicate)


def _two_of(drawn: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """A baseline and a night, each numbered anew."""
    numbered = [replace(row, replicate=number % _NIGHT) for number, row in enumerate(drawn)]
    return numbered[:_NIGHT], numbered[_NIGHT:]


def _alarms(baseline: Sequence[Row], night: Sequence[Row]) -> list[str]:
    """What is said to be better or worse."""
    first = night[0].replicate - baseline[0].replicate
    moved = [replace(row, replicate=row.replicate - first) for row in night]
    pairs, _ = pair(baseline, moved, lambda one, other: one.metrics != other.metrics)
    judged = judge(pairs, effects.DEFAULTS).judged
    return [f"{one.verdict}: {one.metric}" for one in judged if one.verdict in SHOWN]
