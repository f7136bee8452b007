"""Means as coloured squares with their numbers, one scale of colour for a row of panels."""

from __future__ import annotations

from typing import Final

import numpy as np
from matplotlib.axes import Axes

from weir_engine.report.paper.panels import Grid, Panel

__all__ = ["mark"]

_COLOURS: Final = "cividis"
"""Told apart by those who see fewer colours, too."""
_DARK: Final = 0.55
"""Below this share of the scale a number is white."""


def mark(axis: Axes, grid: Grid, panel: Panel, factor: float) -> None:
    """A square for each place and series; none where nothing was measured."""
    means = _means(grid, panel) * factor
    (line,) = [line for line in grid.panels if any(one is panel for one in line)]
    every = np.concatenate([_means(grid, one).ravel() for one in line]) * factor
    low, high = float(np.nanmin(every)), float(np.nanmax(every))
    edges = np.arange(means.shape[1] + 1) - 0.5, np.arange(means.shape[0] + 1) - 0.5
    axis.pcolormesh(*edges, means, cmap=_COLOURS, vmin=low, vmax=high, linewidth=0)
    for row, column in np.argwhere(~np.isnan(means)):
        value = float(means[row, column])
        dark = value < low + _DARK * (high - low)
        axis.text(
            column,
            row,
            f"{value:.3g}",
            ha="center",
            va="center",
            fontsize=7,
            color="#ffffff" if dark else "#000000",
        )
    axis.set_yticks(range(len(grid.series)), grid.series)
    axis.set_ylim(len(grid.series) - 0.5, -0.5)
    axis.tick_params(length=0)


def _means(grid: Grid, panel: Panel) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """[series][place]; NaN where there is none."""
    found = np.full((len(grid.series), len(grid.places)), np.nan)
    for (number, _), points in panel.series.items():
        for point in points:
            found[number, point.place] = point.mean
    return found
