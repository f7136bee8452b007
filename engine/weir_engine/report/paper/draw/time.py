"""Curves over the time of one run."""

from __future__ import annotations

from matplotlib.axes import Axes

from weir_engine.report.paper.draw.style import LINES, colour
from weir_engine.report.paper.panels import Grid, Panel
from weir_engine.report.svg import INK

__all__ = ["client_name", "mark"]


def client_name(number: int) -> str:
    """As the legend has it."""
    return f"client {number}"


def mark(axis: Axes, grid: Grid, panel: Panel, factor: float) -> None:
    """A colour per client; of several metrics each has its kind of line."""
    for one in panel.course:
        axis.plot(
            one.t_s,
            one.values * factor,
            color=colour(one.client - 1),
            linewidth=1.2,
            linestyle=LINES[one.metric % len(LINES)],
            drawstyle="steps-post" if one.steps else "default",
            label=None if one.metric else client_name(one.client),
        )
    if len(grid.stack) > 1:
        for style, title in zip(LINES, grid.stack, strict=False):
            axis.plot([], [], color=INK, linewidth=1.0, linestyle=style, label=title)
