"""Cumulative distributions over the runs."""

from __future__ import annotations

from matplotlib.axes import Axes

from weir_engine.report.paper.draw.style import colour
from weir_engine.report.paper.panels import Grid, Panel

__all__ = ["mark"]


def mark(axis: Axes, grid: Grid, panel: Panel, factor: float) -> None:
    """A step curve per series."""
    for (number, _), points in panel.series.items():
        values = [value * factor for point in points for value in point.values]
        axis.ecdf(values, color=colour(number), linewidth=1.3, label=grid.series[number])
