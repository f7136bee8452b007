"""Runs in pairs: two selections of runs that have everything else and the seed in common.

Where nothing random happens, replicates come out identical. A pair that is another one over again
counts once: it would only feign precision.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import fmean

from weir.stats import Paired, compare_paired

from weir_engine.report.paper.pool import Held, Observation, Pool

__all__ = ["Sides", "compared", "difference", "sides"]

Unit = tuple[Held, int]
"""What both runs of a pair have in common: everything but the compared axes, and the seed."""

Sides = dict[Unit, tuple[float, frozenset[int]]]
"""Unit -> mean, and the outcomes that it rests on."""

Wanted = Mapping[str, list[str]]


def sides(
    pool: Pool,
    runs: Iterable[Observation],
    metric: str,
    client: int | None,
    wanted: Wanted,
    apart: set[str],
) -> Sides:
    """A side of the comparison: unit -> mean over the runs of all the levels wanted there.

    apart: the axes in which the sides differ. A unit in which one of the wanted levels has no
    value is left out: a mean over other levels than elsewhere would be no fair side of a pair.
    """
    found: dict[Unit, dict[tuple[str, ...], list[tuple[float, int]]]] = {}
    for run in runs:
        if not all(run.levels.get(axis) in levels for axis, levels in wanted.items()):
            continue
        value = pool.value(run, metric, client)
        if value is not None:
            own = tuple(run.levels[axis] for axis in wanted)
            unit = (run.held(apart), run.seed)
            found.setdefault(unit, {}).setdefault(own, []).append((value, run.outcome))
    full = 1
    for levels in wanted.values():
        full *= len(set(levels))
    return {
        unit: (
            fmean(fmean(value for value, _ in cell) for cell in cells.values()),
            frozenset(outcome for cell in cells.values() for _, outcome in cell),
        )
        for unit, cells in found.items()
        if len(cells) == full
    }


def difference(of: Sides, than: Sides) -> Sides:
    """`of` - `than` by unit: a side of a comparison of differences."""
    return {
        unit: (value - than[unit][0], outcomes | than[unit][1])
        for unit, (value, outcomes) in of.items()
        if unit in than
    }


def compared(of: Sides, than: Sides, confidence: float = 0.95) -> Paired:
    """`of` - `than` over their common units: weir.stats.compare_paired with units for seeds."""
    pairs: dict[object, tuple[float, float]] = {}
    for unit, (value, outcomes) in of.items():
        if unit in than:
            (held, _), (other, others) = unit, than[unit]
            pairs.setdefault((held, outcomes, others), (other, value))
    a = {number: first for number, (first, _) in enumerate(pairs.values())}
    b = {number: second for number, (_, second) in enumerate(pairs.values())}
    return compare_paired(a, b, confidence)
