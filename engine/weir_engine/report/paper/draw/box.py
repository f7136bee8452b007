"""Boxes: quartiles and median of the runs, whiskers to 1.5 interquartile ranges."""

from __future__ import annotations

from matplotlib.axes import Axes

from weir_engine.report.paper.draw.style import colour
from weir_engine.report.paper.panels import Grid, Panel
from weir_engine.report.svg import INK

__all__ = ["mark"]


def mark(axis: Axes, grid: Grid, panel: Panel, factor: float) -> None:
    """A group per place of x, in it a box per series."""
    width = 0.8 / len(grid.series)
    line = {"color": INK, "linewidth": 0.7}
    for (number, _), points in panel.series.items():
        axis.boxplot(
            [[value * factor for value in point.values] for point in points],
            positions=[point.place - 0.4 + width * (number + 0.5) for point in points],
            widths=width * 0.8,
            patch_artist=True,
            manage_ticks=False,
            boxprops={"facecolor": colour(number), "linewidth": 0.0, "alpha": 0.8},
            medianprops={"color": INK, "linewidth": 1.2},
            whiskerprops=line,
            capprops=line,
            flierprops={"marker": ".", "markersize": 3, "markeredgecolor": colour(number)},
        )
        axis.bar([-9], [0], color=colour(number), label=grid.series[number])
