"""The congestion window around a pause, beside what it had been and what the path holds."""

from __future__ import annotations

from typing import Final

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from weir_engine.report.paper.draw.style import colour
from weir_engine.report.paper.panels import Grid, Panel
from weir_engine.report.svg import INK

__all__ = ["NAMES", "mark"]

NAMES: Final = (
    "congestion window",
    "slow start threshold",
    "window before the pause",
    "the link's capacity (BDP)",
)
"""As the legend has them."""


def mark(axis: Axes, grid: Grid, panel: Panel, factor: float) -> None:
    """Steps for the window and its threshold, a line across for what does not change."""
    found = panel.window
    if found is None:
        return
    cwnd, ssthresh, before, bdp = NAMES
    axis.step(
        found.t_s, found.ssthresh_segments, where="post", color=colour(1), lw=1.0, label=ssthresh
    )
    axis.step(found.t_s, found.cwnd_segments, where="post", color=colour(0), lw=1.3, label=cwnd)
    axis.axhline(found.before_segments, color=INK, lw=0.9, ls="--", label=before)
    if found.bdp_segments is not None:
        axis.axhline(found.bdp_segments, color=INK, lw=0.9, ls=":", label=bdp)
    axis.set_xlim(-grid.figure.span_s, grid.figure.span_s)
    axis.set_ylim(bottom=0)
    # The last number of a panel would run into the first of the next.
    axis.xaxis.set_major_locator(MaxNLocator(nbins=4, prune="both"))
