"""Groups compared run by run, thousands at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from weir import stats

from weir_orchestrator.api.results.groups import Rows
from weir_orchestrator.api.results.pairing import COMPARED, Column
from weir_orchestrator.api.results.parted import ODD, different, group_of, unlike_before

__all__ = ["Compared", "compared"]

_MOST_ROWS: Final = 500_000
"""That are looked at together."""


class Compared(NamedTuple):
    """What two groups are each, and b - a over the seeds that both have: of each the means over the
    same levels of what is pooled. Runs that have no counterpart, as it failed or is still to come,
    do not count."""

    a: stats.Summary
    b: stats.Summary
    difference: stats.Paired


_Numbers: TypeAlias = tuple[
    NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64], NDArray[np.float64]
]
"""(n,) each: unit, seed, digest, value."""


class _Rows(NamedTuple):
    """Of many groups: (n,) which one, and what `Column` and `Measured` have of it."""

    group: NDArray[np.intp]
    unit: NDArray[np.uint64]
    seed: NDArray[np.uint64]
    digest: NDArray[np.uint64]
    value: NDArray[np.float64]


class _Seeds(NamedTuple):
    """Of many groups: (n,) which one, a seed that it has, the mean of that seed's values, of which
    there are several where another factor is averaged over, and what stands for the set of its
    runs."""

    group: NDArray[np.intp]
    seed: NDArray[np.uint64]
    mean: NDArray[np.float64]
    runs: NDArray[np.uint64]


def compared(both: Iterable[tuple[Column, Column]]) -> Iterator[Compared]:
    """Of each two groups."""
    some: list[tuple[Column, Column]] = []
    rows = 0
    for a, b in both:
        some.append((a, b))
        rows += len(a.members) + len(b.members)
        if rows > _MOST_ROWS:
            yield from _compared(some)
            some, rows = [], 0
    if some:
        yield from _compared(some)


def _compared(both: list[tuple[Column, Column]]) -> Iterator[Compared]:
    a, b = (_rows([pair[place] for pair in both]) for place in (0, 1))
    of_a, of_b = (
        stats.summaries(own.value, own.group, different(own.group, own.digest, len(both)))
        for own in (a, b)
    )
    left, right = map(_by_seed, (a, b), _shared(a, b))
    _, at, other = np.intersect1d(
        _marks(left.group, left.seed),
        _marks(right.group, right.seed),
        assume_unique=True,
        return_indices=True,
    )
    group = left.group[at]
    pairs = ODD * left.runs[at] + right.runs[other]
    differences = stats.comparisons(
        left.mean[at], right.mean[other], group, different(group, pairs, len(both))
    )
    return map(Compared, of_a, of_b, differences)


def _rows(columns: Sequence[Column]) -> _Rows:
    parts = [
        _of_one_table(list(own))
        for _, own in groupby(columns, key=lambda each: (id(each.found), id(each.unit)))
    ]
    # Of one part that would be a copy: a million runs are mostly of one campaign.
    of_all = parts[0] if len(parts) == 1 else map(np.concatenate, zip(*parts, strict=True))
    return _Rows(group_of([each.members for each in columns]), *of_all)


def _of_one_table(columns: Sequence[Column]) -> _Numbers:
    """Of all their rows at once: thousands of groups are mostly of one campaign."""
    of, rows = columns[0], np.concatenate([each.members for each in columns])
    seed, digest = (of.found.columns[name][rows].view(np.uint64) for name in COMPARED)
    return of.unit[rows], seed, digest, of.found.value[rows]


def _by_seed(of: _Rows, rows: Rows) -> _Seeds:
    order = rows[np.lexsort((of.digest[rows], of.seed[rows], of.group[rows]))]
    group, seed, digest = of.group[order], of.seed[order], of.digest[order]
    new = unlike_before(group, seed)
    place, first = np.cumsum(new) - 1, np.flatnonzero(new)
    means = np.bincount(place, weights=of.value[order]) / np.bincount(place)
    runs = np.zeros(len(first), np.uint64)
    once = unlike_before(group, seed, digest)
    np.add.at(runs, place[once], digest[once])
    return _Seeds(group[first], seed[first], means, runs)


def _shared(a: _Rows, b: _Rows) -> tuple[Rows, Rows]:
    """Rows of each whose unit the other's group has, too."""
    if len(a.unit) < len(b.unit):
        of_b, of_a = _shared(b, a)
        return of_a, of_b
    # Where it has more replicates most are of units that the shorter one has in no group at all.
    of_a, unit_b = _among(a.unit, b.unit), _marks(b.group, b.unit)
    of_a = of_a[_among(_marks(a.group[of_a], a.unit[of_a]), unit_b)]
    return of_a, _among(unit_b, _marks(a.group[of_a], a.unit[of_a]))


def _among(these: NDArray[np.uint64], those: NDArray[np.uint64]) -> NDArray[np.intp]:
    """Rows of these that are also in those. np.isin sorts both, of which one may be short."""
    if not len(those):
        return np.zeros(0, np.intp)
    known = np.unique(those)
    at = np.minimum(np.searchsorted(known, these), len(known) - 1)
    return np.flatnonzero(known[at] == these)


def _marks(group: NDArray[np.intp], number: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Two numbers become one."""
    return ODD * group.astype(np.uint64) + number
