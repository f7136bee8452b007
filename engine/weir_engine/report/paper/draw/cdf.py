"""Cumulative distributions."""

from __future__ import annotations

from typing import Final

import numpy as np
from matplotlib.axes import Axes

from weir_engine.report.paper.draw.style import LINES, colour
from weir_engine.report.paper.panels import Grid, Panel
from weir_engine.report.svg import INK

__all__ = ["mark"]

_STEPS: Final = 400
"""A curve of more values is drawn through their quantiles: the picture is the same."""


def mark(axis: Axes, grid: Grid, panel: Panel, factor: float) -> None:
    """A step curve per series and metric; of several metrics each has its kind of line."""
    for rate in grid.ladder_bps:
        axis.axvline(rate * factor, color=INK, linewidth=0.5, alpha=0.4)
    for (number, metric), points in panel.series.items():
        values = np.array([value * factor for point in points for value in point.values])
        if len(values) > _STEPS:
            values = np.quantile(values, np.linspace(0, 1, _STEPS + 1), method="inverted_cdf")
        style = LINES[metric % len(LINES)]
        label = grid.series[number]
        axis.ecdf(values, color=colour(number), linewidth=1.3, linestyle=style, label=label)
    if len(grid.stack) > 1:
        for style, title in zip(LINES, grid.stack, strict=False):
            axis.plot([], [], color=INK, linewidth=1.0, linestyle=style, label=title)
