"""Named levels of a factor that is itself a place in the experiment: their paths start there.

kernel: {stock: {}, mine: {patches: [fix.patch]}}    sets kernel.patches at level `mine`
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from weir.spec.experiment import Experiment
from weir.spec.schematree import wrong_step

__all__ = ["in_full", "is_place_of"]


def in_full(factors: Any) -> Any:
    """The factors with every named level's paths as they are in the experiment."""
    if not isinstance(factors, Mapping):
        return factors
    return {
        factor: {name: _below(str(factor), sets) for name, sets in levels.items()}
        if isinstance(levels, Mapping) and wrong_step(Experiment, str(factor)) is None
        else levels
        for factor, levels in factors.items()
    }


def is_place_of(factor: str, levels: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether all that the levels set lies below the place of the factor's name."""
    return all(path.startswith(f"{factor}.") for sets in levels.values() for path in sets)


def _below(factor: str, sets: Any) -> Any:
    if not isinstance(sets, Mapping):
        return sets
    return {
        full if wrong_step(Experiment, full := f"{factor}.{path}") is None else path: value
        for path, value in sets.items()
    }
