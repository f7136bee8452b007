"""Groups of runs, compared run by run where all else is the same."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from weir import stats
from weir_engine.levels import text

from weir_orchestrator.api.results.groups import by_levels
from weir_orchestrator.api.results.queries import Measured
from weir_orchestrator.recorded.combinations import Numbered

__all__ = ["Column", "Side", "difference", "levelled", "pooled_levels"]

Side = tuple[Measured, Numbered]


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
    left = a.rows.of(np.flatnonzero(np.isin(a.unit, b.unit)))
    right = b.rows.of(np.flatnonzero(np.isin(b.unit, a.unit)))
    runs = [_runs_by_seed(each) for each in (left, right)]
    pairs = {(own, runs[1][seed]) for seed, own in runs[0].items()}
    return stats.compare_paired(_by_seed(left), _by_seed(right), distinct=len(pairs))


def _digest(levels: Mapping[str, Any], factors: Sequence[str]) -> int:
    rest = [text(level) for path, level in sorted(levels.items()) if path not in factors]
    return int.from_bytes(hashlib.blake2b(repr(rest).encode(), digest_size=8).digest())


def _runs_by_seed(group: Measured) -> dict[int, frozenset[int]]:
    """Seed -> digests of its runs."""
    found: dict[int, set[int]] = {}
    for seed, digest in zip(group.seed.tolist(), group.digest.tolist(), strict=True):
        found.setdefault(seed, set()).add(digest)
    return {seed: frozenset(digests) for seed, digests in found.items()}


def _by_seed(group: Measured) -> dict[int, float | None]:
    """Seed -> mean of its values: several where another factor is averaged over."""
    known, place = np.unique(group.seed, return_inverse=True)
    means = np.bincount(place, weights=group.value) / np.bincount(place)
    return dict(zip(known.tolist(), means.tolist(), strict=True))
