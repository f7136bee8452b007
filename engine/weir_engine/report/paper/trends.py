"""Whether a metric rises or falls along the levels of an axis."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from weir.stats import rank_correlation

from weir_engine.report.paper.pairs import sides
from weir_engine.report.paper.pool import Observation, Pool

__all__ = ["Trend", "trend"]


@dataclass(frozen=True)
class Trend:
    """Spearman's coefficient of the means at so many levels, each over the same n units."""

    coefficient: float
    levels: int
    n: int


def trend(
    pool: Pool,
    runs: list[Observation],
    metric: str,
    client: int | None,
    axis: str,
    levels: list[str],
) -> Trend | None:
    """Along these levels, in their order; those that no run has are left out.

    None: fewer than three levels that were run in the same circumstances, or all means are equal.
    """
    found = [sides(pool, runs, metric, client, {axis: [level]}, {axis}) for level in levels]
    had = [some for some in found if some]
    units = set.intersection(*(set(some) for some in had)) if had else set()
    if not units:
        return None
    coefficient = rank_correlation(fmean(some[unit][0] for unit in units) for some in had)
    return None if coefficient is None else Trend(coefficient, len(had), len(units))
