"""Runs brought together by levels of some factors, and what is said of each group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import isnan
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from weir import stats
from weir_engine.groups import Group, grouped

from weir_orchestrator.api.results import parted
from weir_orchestrator.api.results.queries import Measured
from weir_orchestrator.api.results.schemas import GroupSummary, GroupValues
from weir_orchestrator.recorded.combinations import Numbered

__all__ = ["QUANTILES", "by_levels", "listings", "share_between", "summed_up", "told"]

QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)

Rows: TypeAlias = NDArray[np.intp]


def by_levels(found: Measured, levels: Numbered, factors: Sequence[str]) -> list[Group[Rows]]:
    """Groups that are not empty, of rows of `found`, in the campaign's order of levels."""
    groups = grouped(((own, number) for number, own in levels.items()), factors)
    combination = found.columns["combination"]
    # A combination written since the levels were read is in no group yet: in one after the last.
    most = max(combination.max(initial=-1), *levels, -1)
    group_of = np.full(most + 1, len(groups))
    numbers = [number for each in groups for number in each.members]
    group_of[numbers] = parted.group_of([each.members for each in groups])
    of_row = group_of[combination]
    by_group = parted.in_groups(of_row, len(groups))
    ends = np.cumsum(np.bincount(of_row, minlength=len(groups)))[: len(groups)].tolist()
    return [
        Group(group.key, group.levels, by_group[begin:end])
        for group, (begin, end) in zip(groups, pairwise([0, *ends]), strict=True)
        if end > begin
    ]


def summed_up(groups: Sequence[Group[Rows]], found: Measured) -> list[GroupSummary]:
    """Summary, quantiles (linear between values) and range of groups that are not empty.

    found: with the digest.
    """
    rows, group = parted.together([each.members for each in groups])
    value = found.value[rows]
    different = parted.different(group, found.columns["digest"][rows], len(groups))
    summaries = stats.summaries(value, group, different)
    asked = parted.quantiles(group, value, len(groups), (0.0, *QUANTILES, 1.0)).tolist()
    return [
        GroupSummary.model_validate(
            {**told(own), "levels": each.levels, "min": low, "max": high, "quantiles": quantiles}
        )
        for each, own, (low, *quantiles, high) in zip(groups, summaries, asked, strict=True)
    ]


def share_between(groups: Sequence[Group[Rows]], found: Measured) -> float | None:
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


def listings(groups: Sequence[Group[Rows]], found: Measured, most: int) -> Iterator[GroupValues]:
    """At most so many of each group's values, rising. found: with run and digest."""
    rows, group = parted.together([each.members for each in groups])
    different = parted.different(group, found.columns["digest"][rows], len(groups)).tolist()
    for each, distinct in zip(groups, different, strict=True):
        rising = each.members[np.argsort(found.value[each.members], kind="stable")]
        if len(rising) > most:
            rising = rising[np.linspace(0, len(rising) - 1, most).round().astype(np.intp)]
        yield GroupValues(
            levels=each.levels,
            n=len(each.members),
            distinct=distinct,
            values=found.value[rising].tolist(),
            runs=found.columns["run"][rising].tolist(),
        )
