"""Verdicts on every metric of every combination: did it change, and does that matter?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray
from weir.evidence import discoveries, majority, replicates_to_reach
from weir.metrics import CATALOG

from weir_engine.regression.effects import Effect, limits
from weir_engine.regression.pairs import Pairs

__all__ = ["FALSE_ALARMS", "SHOWN", "Judged", "Judgement", "Verdict", "judge"]

Verdict = Literal["same", "no matter", "better", "worse", "higher", "lower", "cannot tell"]
"""higher, lower: a metric of which neither way is better."""
SHOWN: Final = frozenset[Verdict]({"better", "worse", "higher", "lower"})
"""A difference that matters is."""

FALSE_ALARMS: Final = 0.01
"""In at most so many comparisons of what did not change is anything called better or worse."""
_NO_MATTER_AT: Final = 20.0
"""E-value from which on a difference counts as too small to matter: wrongly in 1 of 20."""


@dataclass(frozen=True)
class Judged:
    """One metric of one combination. n: pairs in which it is defined on both sides.

    before: the baseline's median. difference, relative: of the pairs' medians, relative to before.
    replicates: how many pairs would be enough at the shares seen, where it cannot be told; None:
    no number of them, or it can be told.
    """

    levels: Mapping[str, Any]
    metric: str
    verdict: Verdict
    n: int
    before: float
    difference: float
    relative: float | None
    replicates: int | None


@dataclass(frozen=True)
class Judgement:
    """All of them, those that matter most first. combinations, changed: how many, in any byte."""

    judged: Sequence[Judged]
    combinations: int
    changed: int
    remarks: Sequence[str]

    @property
    def worse(self) -> list[Judged]:
        return [one for one in self.judged if one.verdict == "worse"]

    @property
    def verdict(self) -> Literal["same", "not worse", "worse", "cannot tell"]:
        """On all together. cannot tell: something differs, and of no metric anything is shown."""
        if self.worse:
            return "worse"
        if not self.changed:
            return "same"
        of_changed = {one.verdict for one in self.judged} - {"same"}
        return "cannot tell" if of_changed <= {"cannot tell"} else "not worse"


@dataclass(frozen=True)
class _Counts:
    """Of n pairs: differences above what matters, and below it. before, difference: medians."""

    pairs: Pairs
    metric: str
    n: int
    up: int
    down: int
    before: float
    difference: float


def judge(
    pairs: Sequence[Pairs],
    effects: Mapping[str, Effect],
    remarks: Sequence[str] = (),
    false_alarms: float = FALSE_ALARMS,
) -> Judgement:
    """Judge by the median paired difference, which has to be larger than what matters.

    Viewers' metrics (of a client) and the network's (of a run) are two families, each with half of
    the false alarms: a fairness index says nothing about viewers. Within each, the false discovery
    rate over all metrics, combinations and both directions is bounded (weir.evidence), also when
    replicates are added until the verdict is clear. Combinations of equal bytes are in none.
    Only metrics that the pairs have are judged.
    """
    moved = [each for each in pairs if each.changed]
    judged = [
        Judged(each.levels, name, "same", each.n, found[0], 0.0, None, None)
        for each in pairs
        if not each.changed
        for name, values in each.before.items()
        if (found := [value for value in values if value is not None])
    ]
    for scope in ("client", "run"):
        counts = [one for each in moved for one in _counts(each, scope, effects)]
        judged += _verdicts(counts, false_alarms / 2)
    judged.sort(key=_order)
    alike = [each for each in moved if each.distinct == 1 and each.n > 1]
    said = [f"{len(alike)} combinations have replicates that are all alike: nothing random happens"]
    return Judgement(judged, len(pairs), len(moved), [*remarks, *(said if alike else [])])


def _counts(pairs: Pairs, scope: str, effects: Mapping[str, Effect]) -> Iterator[_Counts]:
    names = [name for name, info in CATALOG.items() if info.scope == scope and name in pairs.before]
    if not names:
        return
    # Replicates that are all alike are one trial, however many they are.
    trials = slice(1 if pairs.distinct == 1 else None)
    before, after = (
        np.array([side[name][trials] for name in names], dtype=np.float64)
        for side in (pairs.before, pairs.after)
    )
    differences = after - before
    n = (~np.isnan(differences)).sum(axis=1)
    # What matters is taken from each pair's own baseline, so that each pair is a fair trial.
    least = limits([effects[name] for name in names], before)
    columns = (
        n,
        (differences > least).sum(axis=1),
        (differences < -least).sum(axis=1),
        _medians(np.where(np.isnan(differences), np.nan, before), n),
        _medians(differences, n),
    )
    for name, *numbers in zip(names, *(column.tolist() for column in columns), strict=True):
        if numbers[0]:
            yield _Counts(pairs, name, *numbers)


def _medians(values: NDArray[np.float64], n: NDArray[np.int64]) -> NDArray[np.float64]:
    """Of each row, whose first n values in order are numbers, and the others NaN."""
    rising = np.sort(values, axis=1)
    rows = np.arange(len(rising))
    medians: NDArray[np.float64] = (rising[rows, (n - 1) // 2] + rising[rows, n // 2]) / 2
    return medians


def _verdicts(counts: Sequence[_Counts], alpha: float) -> Iterator[Judged]:
    up = [majority(one.up, one.n) for one in counts]
    down = [majority(one.down, one.n) for one in counts]
    values = np.array(up + down)
    found = discoveries(values, alpha) if len(values) else np.zeros(0, dtype=bool)
    # What one more would have to reach to be among those found.
    wanted = len(values) / (alpha * (int(found.sum()) + 1))
    for place, one in enumerate(counts):
        higher, lower = bool(found[place]), bool(found[place + len(counts)])
        within = min(majority(one.n - one.up, one.n), majority(one.n - one.down, one.n))
        verdict: Verdict = "cannot tell"
        if higher or lower:
            verdict = _way(one.metric, higher)
        elif within >= _NO_MATTER_AT:
            verdict = "no matter"
        yield Judged(
            one.pairs.levels,
            one.metric,
            verdict,
            one.n,
            one.before,
            one.difference,
            one.difference / abs(one.before) if one.before else None,
            _enough(one, wanted) if verdict == "cannot tell" else None,
        )


def _way(metric: str, higher: bool) -> Verdict:
    better = CATALOG[metric].better
    if better is None:
        return "higher" if higher else "lower"
    return "better" if higher == (better == "higher") else "worse"


def _enough(one: _Counts, wanted: float) -> int | None:
    if one.pairs.distinct == 1 < one.pairs.n:
        return None
    likely = max(one.up, one.down)
    for_change = replicates_to_reach(likely, one.n, wanted)
    for_none = replicates_to_reach(one.n - likely, one.n, _NO_MATTER_AT)
    return min((found for found in (for_change, for_none) if found is not None), default=None)


_FIRST: Final = ("worse", "better", "higher", "lower", "cannot tell", "no matter", "same")


def _order(one: Judged) -> tuple[int, float]:
    return _FIRST.index(one.verdict), -abs(one.relative or 0.0)
