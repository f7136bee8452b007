"""The pause that figures of packets and of windows show."""

from __future__ import annotations

from weir.metrics import burst, window
from weir.metrics.burst import Burst
from weir.metrics.context import Context, prepare
from weir.metrics.window import Window

from weir_engine.report.paper.pool import Observation

__all__ = ["transfer", "window_around"]


def transfer(runs: list[Observation], span_s: float) -> Burst | None:
    """Of the first client of the run with the smallest seed; None where it never restarted."""
    context = _first(runs)
    return burst.in_mid_film(context.sessions[0], context, span_s) if context else None


def window_around(runs: list[Observation], span_s: float) -> Window | None:
    """Of the same restart."""
    context = _first(runs)
    return window.in_mid_film(context.sessions[0], context, span_s) if context else None


def _first(runs: list[Observation]) -> Context | None:
    if not runs:
        return None
    return prepare(min(runs, key=lambda run: run.seed).row.records(packets=True))
