"""Grouped bars of means with 95 % intervals."""

from __future__ import annotations

from matplotlib.axes import Axes

from weir_engine.report.paper.draw.style import colour, half_widths
from weir_engine.report.paper.panels import Grid, Panel
from weir_engine.report.svg import INK

__all__ = ["mark"]


def mark(axis: Axes, grid: Grid, panel: Panel, factor: float) -> None:
    """A group per place of x, in it a bar per series."""
    width = 0.8 / len(grid.series)
    for (number, _), points in panel.series.items():
        where = [point.place - 0.4 + width * (number + 0.5) for point in points]
        heights = [point.mean * factor for point in points]
        label = grid.series[number]
        axis.bar(where, heights, width * 0.92, color=colour(number), label=label)
        errors = half_widths(points, factor)
        axis.errorbar(where, heights, errors, fmt="none", ecolor=INK, elinewidth=0.7, capsize=1.5)
