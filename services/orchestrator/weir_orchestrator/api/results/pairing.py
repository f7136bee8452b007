"""Groups of runs that may be compared run by run where all else is the same."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from weir_engine.levels import text

from weir_orchestrator.api.results.groups import Rows, by_levels
from weir_orchestrator.api.results.queries import Measured
from weir_orchestrator.api.runs.rows import Name
from weir_orchestrator.recorded.combinations import Numbered

__all__ = ["COMPARED", "Column", "Side", "levelled", "pooled_levels"]

COMPARED: Final[tuple[Name, ...]] = ("seed", "digest")
"""What `Measured` of a `Side` has beside the combination."""
Side = tuple[Measured, Numbered]


class Column(NamedTuple):
    """Levels of a group, and its rows of what was found. unit: (n,) of each row found what stands
    for its levels of the factors that are pooled and its seed."""

    levels: dict[str, Any]
    members: Rows
    found: Measured
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
    combination = found.columns["combination"]
    rest = np.zeros(max(combination.max(initial=-1), *pooled, -1) + 1, np.uint64)
    rest[[*pooled]] = np.fromiter(pooled.values(), np.uint64, len(pooled))
    unit = rest[combination] + found.columns["seed"].view(np.uint64)
    return {
        each.key: Column(each.levels, each.members, found, unit)
        for each in by_levels(found, levels, factors)
    }


def _digest(levels: Mapping[str, Any], factors: Sequence[str]) -> int:
    rest = [text(level) for path, level in sorted(levels.items()) if path not in factors]
    return int.from_bytes(hashlib.blake2b(repr(rest).encode(), digest_size=8).digest())
