"""Groups of runs, compared run by run where all else is the same."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from weir import stats
from weir_engine.levels import text

from weir_orchestrator.api.results.groups import by_levels
from weir_orchestrator.api.results.queries import Measured
from weir_orchestrator.recorded.combinations import Numbered

__all__ = ["Column", "Side", "difference", "levelled", "pooled_levels"]

Side = tuple[Measured, Numbered]
_ODD: Final = np.uint64(0x9E3779B97F4A7C15)
"""2^64 over the golden ratio: two sums of digests become one number."""


class Column(NamedTuple):
    """Levels of a group, its rows, and (n,) of each row what stands for its levels of the factors
    that are pooled and its seed."""

    levels: dict[str, Any]
    rows: Measured
    unit: NDArray[np.uint64]


def pooled_levels(levels: Numbered, factors: Sequence[str]) -> dict[int, int]:
    """Number of a combination -> what stands for its levels of all factors but these."""
    return {number: _digest(own, factors) for number, own in levels.items()}


def levelled(
    side: Side, factors: Sequence[str], pooled: Mapping[int, int]
) -> dict[tuple[str, ...], Column]:
    """Levels as text -> the group at them.

    pooled: of `pooled_levels`; empty, where other factors are of no account.
    """
    found, levels = side
    known, place = np.unique(found.combination, return_inverse=True)
    rest = np.array([pooled.get(number, 0) for number in known.tolist()], np.uint64)
    unit = rest[place] + found.seed.astype(np.uint64)
    return {
        each.key: Column(each.levels, found.of(each.members), unit[each.members])
        for each in by_levels(found, levels, factors)
    }


def difference(a: Column, b: Column) -> stats.Paired:
    """b - a over the seeds that both have: of each the means over the same levels of what is
    pooled. Runs that have no counterpart, as it failed or is still to come, do not count."""
    left, right = _in_both(a, b), _in_both(b, a)
    (mean_a, runs_a), (mean_b, runs_b) = _by_seed(left), _by_seed(right)
    different = len(np.unique(_ODD * runs_a + runs_b))
    return stats.compare_aligned(mean_a, mean_b, distinct=different)


def _in_both(own: Column, other: Column) -> Measured:
    if np.array_equal(own.unit, other.unit):
        return own.rows
    return own.rows.of(np.flatnonzero(np.isin(own.unit, other.unit)))


def _digest(levels: Mapping[str, Any], factors: Sequence[str]) -> int:
    rest = [text(level) for path, level in sorted(levels.items()) if path not in factors]
    return int.from_bytes(hashlib.blake2b(repr(rest).encode(), digest_size=8).digest())


def _by_seed(group: Measured) -> tuple[NDArray[np.float64], NDArray[np.uint64]]:
    """(s,) of each seed, rising: the mean of its values, of which there are several where another
    factor is averaged over, and what stands for the set of its runs."""
    known, place = np.unique(group.seed, return_inverse=True)
    means = np.bincount(place, weights=group.value) / np.bincount(place)
    order = np.lexsort((group.digest, place))
    place, digest = place[order], group.digest[order]
    new = np.ones(len(place), bool)
    new[1:] = (place[1:] != place[:-1]) | (digest[1:] != digest[:-1])
    runs = np.zeros(len(known), np.uint64)
    np.add.at(runs, place[new], digest[new].astype(np.uint64))
    return means, runs
