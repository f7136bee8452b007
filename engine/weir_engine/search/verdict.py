"""Does a run pass, and by how much? Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from weir.metrics import CATALOG, Metrics
from weir.spec.search import Passes

__all__ = ["Judged", "judged", "values", "worst"]


def values(metrics: Metrics, metric: str) -> list[float]:
    """A run's value, or those of its clients that have one."""
    if CATALOG[metric].scope == "run":
        found = [metrics["run"].get(metric)]
    else:
        found = [client.get(metric) for client in metrics["clients"]]
    return [float(value) for value in found if value is not None]


@dataclass(frozen=True)
class Judged:
    """Whether a run passes, and its value that is the furthest from doing so, or the nearest.

    start: its metric that the search starts at, where it starts at one.
    """

    passes: bool
    value: float
    start: float | None = None


def judged(metrics: Metrics, rule: Passes, start: str | None = None) -> Judged | None:
    """Whether every value is within the bounds; None: the metric is not defined for this run.

    start: the metric of the run that the search starts at.
    """
    found = values(metrics, rule.metric)
    if not found:
        return None
    at = metrics["run"].get(start) if start else None
    return Judged(not any(_beyond(value, rule) > 0 for value in found), _worst(found, rule), at)


def worst(said: Sequence[Judged], rule: Passes) -> Judged:
    """Of several runs that all have to pass: do they, and the value that is the furthest off."""
    starts = [each.start for each in said if each.start is not None]
    passing = all(each.passes for each in said)
    return Judged(passing, _worst([each.value for each in said], rule), max(starts, default=None))


def _worst(found: list[float], rule: Passes) -> float:
    return max(found, key=lambda value: _beyond(value, rule))


def _beyond(value: float, rule: Passes) -> float:
    """How far a value is outside of the bounds; negative inside."""
    above = -inf if rule.at_most is None else value - rule.at_most
    below = -inf if rule.at_least is None else rule.at_least - value
    return max(above, below)
