"""Groups of runs, compared run by run where all else is the same."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from weir import stats
from weir_engine.levels import text

from weir_orchestrator.api.results.groups import by_levels
from weir_orchestrator.api.results.queries import Measured
from weir_orchestrator.recorded.combinations import Numbered

__all__ = ["Column", "Side", "difference", "levelled"]

Side = tuple[Measured, Numbered]


class Column(NamedTuple):
    """Levels of a group, its rows, and (n,) of each row what stands for its levels of the factors
    that are pooled and its seed."""

    levels: dict[str, Any]
    rows: Measured
    unit: NDArray[np.uint64]


def levelled(side: Side, factors: Sequence[str], *, pooled: bool) -> dict[tuple[str, ...], Column]:
    """Levels as text -> the group at them. pooled: all other factors, else of no account."""
    found, levels = side
    unit = _unit(found, levels, frozenset(factors)) if pooled else found.seed.astype(np.uint64)
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


def _unit(found: Measured, levels: Numbered, kept: frozenset[str]) -> NDArray[np.uint64]:
    known, place = np.unique(found.combination, return_inverse=True)
    rest = [
        [text(level) for path, level in sorted(levels.get(number, {}).items()) if path not in kept]
        for number in known.tolist()
    ]
    digests = [hashlib.blake2b(repr(each).encode(), digest_size=8).digest() for each in rest]
    return np.frombuffer(b"".join(digests), np.uint64)[place] + found.seed.astype(np.uint64)


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
