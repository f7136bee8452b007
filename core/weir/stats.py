"""Statistics over replicates: intervals, when to stop, and comparison of paired runs.

Absent values (None, NaN: a metric that a run does not have, such as the mean stall of a run
without stalls) are left out, and `n` says how many were there.

Replicates in which nothing random happens are one run many times: n of them say no more than the
`distinct` ones among them. Intervals and tests rest on those, as if each came equally often; one
alone has neither.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Paired",
    "Summary",
    "Values",
    "compare_paired",
    "comparisons",
    "more_replicates_needed",
    "present",
    "rank_correlation",
    "summaries",
    "summary",
]

Values = Iterable[float | None] | NDArray[np.float64]

_ROUNDING = 1e-12
"""Of a value: sums of floats in another order differ by less."""


@dataclass(frozen=True)
class Summary:
    """Mean of n values with its t-interval. NaN: undefined (mean of none, sd of one).

    distinct: of how many different runs the values are (n_eff).
    """

    n: int
    distinct: int
    mean: float
    sd: float
    ci_low: float
    ci_high: float

    def as_json(self) -> dict[str, float | int | None]:
        """The fields, with None for NaN."""
        return _without_nan(vars(self))


@dataclass(frozen=True)
class Paired:
    """b - a over the seeds that both have, with the t-interval of the mean difference.

    distinct: how many different pairs of runs they are (n_eff). relative: mean difference / mean
    of a. p_value: two-sided paired t-test. NaN: undefined.
    """

    n: int
    distinct: int
    mean_a: float
    mean_b: float
    difference: float
    ci_low: float
    ci_high: float
    relative: float
    p_value: float

    def as_json(self) -> dict[str, float | int | None]:
        """The fields, with None for NaN."""
        return _without_nan(vars(self))


def summary(values: Values, confidence: float = 0.95, distinct: int | None = None) -> Summary:
    """Mean, standard deviation and Student's t-interval of the mean.

    distinct: of how many different runs the values are; default: all. Standard deviation and
    interval are those of that many values with this mean and spread.
    """
    sample = present(values)
    different = len(sample) if distinct is None else distinct
    return summaries(sample, np.zeros(len(sample), np.intp), [different], confidence)[0]


def summaries(
    values: NDArray[np.float64],
    group: NDArray[np.intp],
    distinct: Sequence[int] | NDArray[np.intp],
    confidence: float = 0.95,
) -> list[Summary]:
    """`summary` of each of many groups.

    values: (n,), no NaN. group: (n,), to which of them each belongs, from 0 on. distinct:
    (groups,), of how many different runs each group's values are.
    """
    found = _moments(values, group, np.asarray(distinct, np.intp), confidence)
    return [Summary(*each) for each in zip(*(column.tolist() for column in found), strict=True)]


def more_replicates_needed(
    values: Values, threshold: float = 0.06, added: int | None = None
) -> bool:
    """Whether the mean still moves: the stopping rule of Ben Ameur et al. 2018.

    Values come in order of replicate. The mean of all n is compared with the mean before the last
    `added` of them (default: a third, n // 3; at 60 replicates, 40 against 60). No more are needed
    when |mean_n - mean_(n - added)| < threshold * |mean_n|, or when it did not move at all. The
    paper gives the 6 % and that runs were added; how many at once is this project's choice.
    Fewer than three values always need more. This says that a mean is stable, not that it is
    precise: look at the interval too.
    """
    sample = present(values)
    n = len(sample)
    if n < 3:
        return True
    last = n // 3 if added is None else added
    if not 0 < last < n:
        raise ValueError(f"added must be from 1 to {n - 1}, not {last}")
    mean = float(sample.mean())
    move = abs(mean - float(sample[: n - last].mean()))
    # Rounding of equal values is no movement.
    return move > _ROUNDING * float(np.abs(sample).max()) and move >= threshold * abs(mean)


def compare_paired(
    a: Mapping[int, float | None],
    b: Mapping[int, float | None],
    confidence: float = 0.95,
    distinct: int | None = None,
) -> Paired:
    """Compare two levels run by run. a, b: seed -> value; replicates share seeds by design.

    distinct: how many different pairs of runs are among the common seeds; default: all. Values
    that differ by rounding alone are equal.
    """
    seeds = [s for s in a if not _absent(a[s]) and not _absent(b.get(s))]
    left, right = present(a[s] for s in seeds), present(b[s] for s in seeds)
    different = len(seeds) if distinct is None else distinct
    return comparisons(left, right, np.zeros(len(seeds), np.intp), [different], confidence)[0]


def comparisons(
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    group: NDArray[np.intp],
    distinct: Sequence[int] | NDArray[np.intp],
    confidence: float = 0.95,
) -> list[Paired]:
    """Compare (n,) values of a with those of b for the same seeds, in each of many groups.

    group, distinct: as in `summaries`, of pairs of runs. Values that differ by rounding alone are
    equal.
    """
    apart = b - a
    apart[np.abs(apart) <= _ROUNDING * np.maximum(np.abs(a), np.abs(b))] = 0
    moved = _moments(apart, group, np.asarray(distinct, np.intp), confidence)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean_a, mean_b = (_sums(each, group, len(moved.n)) / moved.n for each in (a, b))
        relative = np.where(mean_a == 0, nan, moved.mean / mean_a)
    columns = (
        *(moved.n, moved.distinct, mean_a, mean_b, moved.mean, moved.low, moved.high),
        *(relative, _p_values(moved)),
    )
    return [Paired(*each) for each in zip(*(column.tolist() for column in columns), strict=True)]


def rank_correlation(values: Iterable[float]) -> float | None:
    """Spearman's coefficient of values with their positions; equal ones share a rank.

    1: they rise, -1: they fall. None: fewer than three, or all are equal.
    """
    from scipy.stats import spearmanr  # noqa: PLC0415 - slow to import

    known = list(values)
    if len(known) < 3 or len(set(known)) == 1:
        return None
    return float(spearmanr(range(len(known)), known).statistic)


def present(values: Values) -> NDArray[np.float64]:
    """Those that are neither None nor NaN, in their order: (n,)."""
    given = values if isinstance(values, np.ndarray) else list(values)
    sample = np.asarray(given, dtype=np.float64)  # None becomes NaN
    there: NDArray[np.float64] = sample[~np.isnan(sample)]
    return there


class _Moments(NamedTuple):
    """`Summary`'s fields, (groups,) each."""

    n: NDArray[np.intp]
    distinct: NDArray[np.intp]
    mean: NDArray[np.float64]
    sd: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def _moments(
    values: NDArray[np.float64],
    group: NDArray[np.intp],
    distinct: NDArray[np.intp],
    confidence: float,
) -> _Moments:
    n = np.bincount(group, minlength=len(distinct))
    different = np.clip(distinct, np.minimum(n, 1), n)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = _sums(values, group, len(n)) / n
        apart = mean[group]  # in place: of a million values each copy takes milliseconds
        np.subtract(values, apart, out=apart)
        squares = _sums(np.square(apart, out=apart), group, len(n))
        sd = np.where(different > 1, np.sqrt(squares / (n - n / different)), nan)
    half = np.full(len(n), nan)
    if len(several := np.flatnonzero(different > 1)):
        from scipy.special import stdtrit  # noqa: PLC0415 - slow to import

        of = different[several]
        half[several] = stdtrit(of - 1, (1 + confidence) / 2) * sd[several] / np.sqrt(of)
    return _Moments(n, different, mean, sd, mean - half, mean + half)


def _sums(values: NDArray[np.float64], group: NDArray[np.intp], groups: int) -> NDArray[np.float64]:
    return np.bincount(group, weights=values, minlength=groups).astype(np.float64, copy=False)


def _p_values(moved: _Moments) -> NDArray[np.float64]:
    """Two-sided, of Student's t-test."""
    p = np.full(len(moved.n), nan)
    same = (moved.distinct > 1) & (moved.sd == 0)
    p[same] = moved.mean[same] == 0
    if len(varied := np.flatnonzero(moved.sd > 0)):
        from scipy.special import stdtr  # noqa: PLC0415 - slow to import

        of = moved.distinct[varied]
        error = moved.sd[varied] / np.sqrt(of)
        p[varied] = 2 * stdtr(of - 1, -np.abs(moved.mean[varied]) / error)
    return p


def _absent(value: float | None) -> bool:
    return value is None or isnan(value)


def _without_nan(fields: Mapping[str, float]) -> dict[str, float | int | None]:
    return {name: None if isnan(value) else value for name, value in fields.items()}
