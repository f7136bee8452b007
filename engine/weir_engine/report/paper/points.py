"""The points of one panel: means, distributions, shares."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from statistics import fmean, stdev
from typing import Literal

from weir.stats import summary

from weir_engine.report.paper.panels import Panel, Point

__all__ = ["at_places", "point", "shares_in_sum", "shares_of_values"]

Table = list[list[float | None]]


def point(
    place: int, values: list[float], error_bars: Literal["ci95", "stddev"] | None = None
) -> Point:
    """values: at least one. error_bars: what stands beside their mean, where that is drawn."""
    mean, bar = fmean(values), None
    if error_bars == "stddev" and len(values) > 1:
        bar = (mean - stdev(values), mean + stdev(values))
    elif error_bars == "ci95" and len(values) > 1:
        found = summary(values)
        bar = (found.ci_low, found.ci_high)
    return Point(place, mean, bar, tuple(values), len(values))


def shares_in_sum(table: Table) -> tuple[Table, float]:
    """[metric][run] -> the same as percent of each run's sum, None where that is 0; mean sum."""
    sums = [sum(value or 0 for value in run) for run in zip(*table, strict=True)]
    shares: Table = [
        [
            100 * (value or 0) / whole if whole else None
            for value, whole in zip(line, sums, strict=True)
        ]
        for line in table
    ]
    return shares, fmean(sums)


def shares_of_values(values: list[float]) -> list[Point]:
    """The percentage of each whole number among all; its place is the number itself."""
    counts = Counter(round(value) for value in values)
    return [
        Point(value, 100 * count / len(values), None, (100 * count / len(values),), len(values))
        for value, count in sorted(counts.items())
    ]


def at_places(panel: Panel, numbers: list[int]) -> Panel:
    """Points at the position of their number among `numbers`."""
    moved = {
        key: [replace(one, place=numbers.index(one.place)) for one in points]
        for key, points in panel.series.items()
    }
    return replace(panel, series=moved)
