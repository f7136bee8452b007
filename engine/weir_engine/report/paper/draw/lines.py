"""Lines of means with 95 % intervals."""

from __future__ import annotations

from typing import Final

from matplotlib.axes import Axes

from weir_engine.report.paper.draw.style import colour, half_widths
from weir_engine.report.paper.panels import Grid, Panel

__all__ = ["mark"]

_MARKERS: Final = ("o", "s", "^", "D", "v", "P")


def mark(axis: Axes, grid: Grid, panel: Panel, factor: float) -> None:
    """A line per series; series stand slightly apart so that intervals do not hide each other."""
    for (number, _), points in panel.series.items():
        apart = 0.06 * (number - (len(grid.series) - 1) / 2)
        axis.errorbar(
            [point.place + apart for point in points],
            [point.mean * factor for point in points],
            half_widths(points, factor),
            color=colour(number),
            marker=_MARKERS[number % len(_MARKERS)],
            markersize=4.0,
            linewidth=1.3,
            elinewidth=0.8,
            capsize=2.0,
            label=grid.series[number],
        )
