"""Runs brought together by levels of some factors, and what is said of each group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from weir import stats
from weir_engine.levels import text

from weir_orchestrator.api.results.queries import Measured
from weir_orchestrator.api.results.schemas import Cell, Group
from weir_orchestrator.api.runs.levels import Numbered

__all__ = ["QUANTILES", "cell", "grouped", "listing", "told"]

QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)

Rows = NDArray[np.intp]


def grouped(
    found: Measured, levels: Numbered, factors: Sequence[str]
) -> Iterator[tuple[dict[str, Any], Rows]]:
    """The levels of each group and its rows of `found`, in the campaign's order of levels."""
    names: dict[tuple[str, ...], dict[str, Any]] = {}
    group_of: dict[int, int] = {}
    order: dict[tuple[str, ...], int] = {}
    for number, own in levels.items():
        key = tuple(text(own[path]) for path in factors)
        names.setdefault(key, {path: own[path] for path in factors})
        group_of[number] = order.setdefault(key, len(order))
    # A combination written since the levels were read is in no group yet.
    known, inverse = np.unique(found.combination, return_inverse=True)
    of_row = np.array([group_of.get(int(number), -1) for number in known], dtype=np.intp)[inverse]
    by_group = np.argsort(of_row, kind="stable")
    bounds = np.searchsorted(of_row[by_group], np.arange(len(order) + 1))
    for key, place in order.items():
        rows = by_group[bounds[place] : bounds[place + 1]]
        if len(rows):
            yield names[key], rows


def cell(levels: dict[str, Any], values: NDArray[np.float64]) -> Cell:
    """Summary, quantiles (linear between values) and range of a group that is not empty."""
    low, *quantiles, high = np.quantile(values, (0.0, *QUANTILES, 1.0)).tolist()
    rest = {"levels": levels, "min": low, "max": high, "quantiles": quantiles}
    return Cell.model_validate(told(stats.summary(values.tolist())) | rest)


def told(found: stats.Summary | stats.Paired) -> dict[str, float | None]:
    """What its as_json says, which copies deeply: 30 us each, of more than a thousand."""
    return {name: None if isnan(value) else value for name, value in vars(found).items()}


def listing(levels: dict[str, Any], found: Measured, rows: Rows, most: int) -> Group:
    """At most so many of a group's values, rising."""
    rising = rows[np.argsort(found.value[rows], kind="stable")]
    if len(rising) > most:
        rising = rising[np.linspace(0, len(rising) - 1, most).round().astype(np.intp)]
    values, runs = found.value[rising].tolist(), found.run[rising].tolist()
    return Group(levels=levels, n=len(rows), values=values, runs=runs)
