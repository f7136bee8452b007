"""The transfer that a figure of packets shows."""

from __future__ import annotations

from weir.metrics.burst import Burst, in_mid_film
from weir.metrics.context import prepare

from weir_engine.report.paper.pool import Observation

__all__ = ["transfer"]


def transfer(runs: list[Observation], span_s: float) -> Burst | None:
    """Of the first client of the run with the smallest seed; None where it never restarted."""
    if not runs:
        return None
    context = prepare(min(runs, key=lambda run: run.seed).row.records(packets=True))
    return in_mid_film(context.sessions[0], context, span_s)
