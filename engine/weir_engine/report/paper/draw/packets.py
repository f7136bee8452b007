"""The packets of one transfer: where they stand in it, over time."""

from __future__ import annotations

from matplotlib.axes import Axes

from weir_engine.report.paper.draw.style import colour
from weir_engine.report.paper.panels import Grid, Panel

__all__ = ["DROPPED", "RECEIVED", "mark"]

RECEIVED, DROPPED = "received", "dropped at the bottleneck"


def mark(axis: Axes, grid: Grid, panel: Panel, factor: float) -> None:
    """A dot per packet that came to the bottleneck, a cross per one that was dropped there."""
    found = panel.burst
    if found is None:
        return
    lost = found.dropped
    kilobytes = found.offset_bytes / 1e3 * factor
    # Separate marks, so that what was lost lies above.
    axis.plot(found.t_s[~lost], kilobytes[~lost], ".", ms=2.5, color=colour(0), label=RECEIVED)
    axis.plot(found.t_s[lost], kilobytes[lost], "x", ms=4, color=colour(1), label=DROPPED)
    axis.set_xlim(0, grid.figure.span_s)
