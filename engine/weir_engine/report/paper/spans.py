"""Between which values a metric lies in every run."""

from __future__ import annotations

from dataclasses import dataclass

from weir_engine.report.paper.pool import Observation, Pool

__all__ = ["Span", "span"]


@dataclass(frozen=True)
class Span:
    """The least and the largest value, and how many of n distinct runs lie within the bounds."""

    least: float
    largest: float
    within: int
    n: int


def span(
    pool: Pool,
    runs: list[Observation],
    metric: str,
    client: int | None,
    at_least: float | None,
    at_most: float | None,
) -> Span | None:
    """Over runs that came out identical once. None: none has the metric."""
    found = {run.outcome: pool.value(run, metric, client) for run in runs}
    values = [value for value in found.values() if value is not None]
    if not values:
        return None
    low = float("-inf") if at_least is None else at_least
    high = float("inf") if at_most is None else at_most
    return Span(min(values), max(values), sum(low <= v <= high for v in values), len(values))
