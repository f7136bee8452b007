"""Change points in otava-test-data's patterns: ours, and those that Apache Otava finds itself.

WEIR_BENCH_OTAVA names the Python of an environment of its own that has the packages apache-otava
and otava-test-data (Weir needs neither). Each night has 24 replicates of the pattern. Otava gets
one of them, as it is used, or the mean of all. F1 over what the package marks, at most a night
away: of changes of the level, and of all kinds (an outlier, a variance, a phase, too).
"""

from __future__ import annotations

import json as jsonlib
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from weir.errors import WeirError
from weir_bench.common import show
from weir_engine.regression import SHOWN, Pairs, effects, judge

DRAWS = 5
LENGTHS = (50, 200)
METRIC = "throughput_bps"
"""One whose differences matter from 2 % on, with no absolute bound."""
OF_OTHER_KINDS = {"outlier", "variance_change", "phase_change"}
NEAR = 1


def main(json: bool = False) -> int:
    """Print F1 of each, and what was found, missed and wrong in each pattern."""
    series = _series()
    ways = {
        "weir": [_change_points(each["values"]) for each in series],
        "otava_of_one": [each["otava_of_one"] for each in series],
        "otava_of_means": [each["otava_of_means"] for each in series],
    }
    found: dict[str, Any] = {}
    for way, points in ways.items():
        by_pattern: dict[str, list[int]] = {}
        for each, its in zip(series, points, strict=True):
            counts = by_pattern.setdefault(each["pattern"], [0, 0, 0])
            for place, number in enumerate(_counts(each["marked"], its)):
                counts[place] += number
        level = [counts for name, counts in by_pattern.items() if name not in OF_OTHER_KINDS]
        found[f"{way}_f1_of_level"] = _f1(level)
        found[f"{way}_f1_of_all"] = _f1(list(by_pattern.values()))
        for name, (right, wrong, missed) in by_pattern.items():
            found[f"{way}_{name}"] = f"{right} found, {missed} missed, {wrong} wrong"
    show(found, json)
    return 0


def _series() -> list[dict[str, Any]]:
    python = os.environ.get("WEIR_BENCH_OTAVA")
    if not python:
        raise WeirError(
            "WEIR_BENCH_OTAVA: missing — make an environment outside of this one, install"
            " apache-otava and otava-test-data there, and give its Python"
        )
    program = Path(__file__).parent / "weir_bench" / "of_otava.py"
    asked = map(str, (DRAWS, *LENGTHS))
    done = subprocess.run([python, str(program), *asked], check=True, stdout=subprocess.PIPE)
    series: list[dict[str, Any]] = jsonlib.loads(done.stdout)
    return series


def _change_points(values: Sequence[Sequence[float]]) -> list[int]:
    """As trends have them: each night beside the first one of its segment."""
    nights = list(zip(*values, strict=True))
    found, first = [], nights[0]
    for number, night in enumerate(nights):
        seen = set(zip(first, night, strict=True))
        changed = sum(before != after for before, after in zip(first, night, strict=True))
        sides = {METRIC: list(first)}, {METRIC: list(night)}
        pairs = Pairs({}, len(night), len(seen), changed, *sides)
        (judged,) = judge([pairs], effects.DEFAULTS).judged
        if judged.verdict in SHOWN:
            found.append(number)
            first = night
    return found


def _counts(marked: Sequence[int], found: Sequence[int]) -> tuple[int, int, int]:
    """Right ones, wrong ones, and marked ones that were missed."""
    left = list(found)
    right = 0
    for each in marked:
        near = [one for one in left if abs(one - each) <= NEAR]
        if near:
            right += 1
            left.remove(min(near, key=lambda one: abs(one - each)))
    return right, len(left), len(marked) - right


def _f1(counts: Sequence[Sequence[int]]) -> float:
    right, wrong, missed = (sum(each) for each in zip(*counts, strict=True))
    f1: float = 2 * right / (2 * right + wrong + missed)
    return round(f1, 3)


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
