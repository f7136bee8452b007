"""Runs brought together by levels of some factors, and what is said of each group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import isnan
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from weir import stats
from weir_engine.groups import Group, grouped

from weir_orchestrator.api.results.queries import Measured
from weir_orchestrator.api.results.schemas import GroupSummary, GroupValues
from weir_orchestrator.recorded.combinations import Numbered

__all__ = ["QUANTILES", "by_levels", "listing", "share_between", "summed_up", "told"]

QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)

Rows: TypeAlias = NDArray[np.intp]


def by_levels(found: Measured, levels: Numbered, factors: Sequence[str]) -> Iterator[Group[Rows]]:
    """Groups that are not empty, of rows of `found`, in the campaign's order of levels."""
    groups = grouped(((own, number) for number, own in levels.items()), factors)
    # A combination written since the levels were read is in no group yet.
    most = max(found.combination.max(initial=-1), *levels, -1)
    group_of = np.full(most + 1, -1)
    for place, each in enumerate(groups):
        group_of[each.members] = place
    of_row = group_of[found.combination]
    # Of small numbers, a million are sorted in a tenth of the time.
    by_group = np.argsort(of_row.astype(np.min_scalar_type(-len(groups))), kind="stable")
    bounds = np.searchsorted(of_row[by_group], np.arange(len(groups) + 1))
    for place, group in enumerate(groups):
        rows = by_group[bounds[place] : bounds[place + 1]]
        if len(rows):
            yield Group(group.key, group.levels, rows)


def summed_up(group: Group[Rows], found: Measured) -> GroupSummary:
    """Summary, quantiles (linear between values) and range of a group that is not empty."""
    own = found.of(group.members)
    low, *quantiles, high = np.quantile(own.value, (0.0, *QUANTILES, 1.0)).tolist()
    rest = {"levels": group.levels, "min": low, "max": high, "quantiles": quantiles}
    return GroupSummary.model_validate(
        told(stats.summary(own.value, distinct=own.distinct())) | rest
    )


def share_between(groups: Iterable[Group[Rows]], found: Measured) -> float | None:
    """Eta squared: variance between the groups' means over the variance of all; None of none.

    Fisher, Statistical Methods for Research Workers (1925), section 45.
    """
    total = float(((found.value - found.value.mean()) ** 2).sum()) if len(found.value) else 0.0
    if total == 0:
        return None
    means = [(len(each.members), found.value[each.members].mean()) for each in groups]
    between = sum(n * (mean - found.value.mean()) ** 2 for n, mean in means)
    return float(between / total)


def told(found: stats.Summary | stats.Paired) -> dict[str, float | None]:
    """What its as_json says, which copies deeply: 30 us each, of more than a thousand."""
    return {name: None if isnan(value) else value for name, value in vars(found).items()}


def listing(group: Group[Rows], found: Measured, most: int) -> GroupValues:
    """At most so many of a group's values, rising."""
    rows = group.members
    rising = rows[np.argsort(found.value[rows], kind="stable")]
    if len(rising) > most:
        rising = rising[np.linspace(0, len(rising) - 1, most).round().astype(np.intp)]
    values, runs = found.value[rising].tolist(), found.run[rising].tolist()
    different = found.of(rows).distinct()
    return GroupValues(
        levels=group.levels, n=len(rows), distinct=different, values=values, runs=runs
    )
