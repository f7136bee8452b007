"""Does a run pass? Pure."""

from __future__ import annotations

from weir.metrics import CATALOG, Metrics
from weir.spec.search import Passes

__all__ = ["passes", "values"]


def values(metrics: Metrics, metric: str) -> list[float]:
    """A run's value, or those of its clients that have one."""
    if CATALOG[metric].scope == "run":
        found = [metrics["run"].get(metric)]
    else:
        found = [client.get(metric) for client in metrics["clients"]]
    return [float(value) for value in found if value is not None]


def passes(metrics: Metrics, rule: Passes) -> bool | None:
    """Whether every value is within the bounds; None: the metric is not defined for this run."""
    found = values(metrics, rule.metric)
    if not found:
        return None
    return not any(
        (rule.at_most is not None and value > rule.at_most)
        or (rule.at_least is not None and value < rule.at_least)
        for value in found
    )
