"""Bars of shares on a logarithmic axis that ends with 0."""

from __future__ import annotations

from math import floor, log10

from matplotlib.axes import Axes

from weir_engine.report.paper.draw.style import colour
from weir_engine.report.paper.panels import Grid, Panel, Point

__all__ = ["mark"]


def mark(axis: Axes, grid: Grid, panel: Panel, factor: float) -> None:
    """A group per value, in it a bar per series; one that never occurs stands as a 0."""
    width = 0.8 / len(grid.series)
    smallest = min(p.mean for line in grid.panels for one in line for p in _points(one)) * factor
    decade = floor(log10(smallest))
    # Linear below the smallest share's decade, so that 0 has a place.
    axis.set_yscale("symlog", linthresh=10.0**decade, linscale=0.35)
    ticks = [10.0**power for power in range(decade, 3)]
    axis.set_yticks([0, *ticks], ["0", *(f"{tick:g}" for tick in ticks)])
    axis.set_yticks([], minor=True)
    axis.set_ylim(0, 100)
    for (number, _), points in panel.series.items():
        at = {place: place - 0.4 + width * (number + 0.5) for place in range(len(grid.places))}
        heights = {point.place: point.mean * factor for point in points}
        label = grid.series[number]
        axis.bar(
            [at[place] for place in heights],
            list(heights.values()),
            width * 0.92,
            color=colour(number),
            label=label,
        )
        for place in at.keys() - heights.keys():
            axis.text(at[place], 0, "0", ha="center", va="bottom", fontsize=6, color=colour(number))


def _points(panel: Panel) -> list[Point]:
    return [point for points in panel.series.values() for point in points]
