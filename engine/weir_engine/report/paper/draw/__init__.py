"""A figure's grid of numbers as SVG; one kind of mark per file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from matplotlib.axes import Axes

from weir_engine.report.paper.draw import (
    bars,
    box,
    cdf,
    frame,
    heat_map,
    lines,
    packets,
    shares,
    stacked,
    time,
    window,
)
from weir_engine.report.paper.panels import Grid, Panel

__all__ = ["draw"]

_MARKS: Final[dict[str, Callable[[Axes, Grid, Panel, float], None]]] = {
    "lines": lines.mark,
    "bars": bars.mark,
    "heat map": heat_map.mark,
    "stacked": stacked.mark,
    "box": box.mark,
    "cdf": cdf.mark,
    "shares": shares.mark,
    "time": time.mark,
    "transfer": packets.mark,
    "window": window.mark,
}


def draw(grid: Grid) -> str:
    """An `<svg>` element of all panels. The grid must not be empty."""
    return frame.framed(grid, _MARKS[grid.figure.kind])
