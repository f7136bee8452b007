"""Evidence that may be looked at after every replicate: e-values, and false discovery over many.

An e-value is nonnegative and at most 1 on average where its null hypothesis holds; that it ever
reaches 1 / alpha, however often one looks, has a probability of at most alpha (Ville's inequality).
Replicates may therefore be added until it is enough, which p-values do not allow.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, log

import numpy as np
from numpy.typing import NDArray

__all__ = ["discoveries", "majority", "median_interval", "replicates_to_reach"]

_MOST_REPLICATES = 10_000
_LARGEST_EXPONENT = 700.0
_KEPT = 1 << 16
"""Answers: a night asks for few different counts, many times."""


@lru_cache(_KEPT)
def majority(hits: int, n: int) -> float:
    """E-value against "each of n trials is a hit with a probability of at most 1/2".

    The wealth of one who bets on hits with every fraction from 0 to 1 of what he has, all alike
    (Shafer, Testing by Betting, JRSS A 184, 2021, section 2; the mixture has a closed form). It
    needs no symmetry and no variance of what is counted, and ties may be counted as no hits.
    """
    if not 0 <= hits <= n:
        raise ValueError(f"hits must be from 0 to {n}, not {hits}")
    from scipy.special import betaincc, betaln  # noqa: PLC0415 - slow to import

    misses = n - hits
    # integral over p in (1/2, 1) of 2 * (2p)^hits * (2 - 2p)^misses
    tail = float(betaincc(hits + 1, misses + 1, 0.5))
    if tail == 0.0:
        return 0.0
    exponent = (n + 1) * log(2) + float(betaln(hits + 1, misses + 1)) + log(tail)
    return exp(min(exponent, _LARGEST_EXPONENT))


@lru_cache(_KEPT)
def replicates_to_reach(hits: int, n: int, wanted: float) -> int | None:
    """How many trials in all, of which the same share are hits, give an e-value of `wanted`.

    None: no number of them (at most half are hits), or more than 10,000.
    """
    if n == 0:
        hits, n = 1, 1
    if 2 * hits <= n:
        return None
    low, high = n, _MOST_REPLICATES
    if majority(round(high * hits / n), high) < wanted:
        return None
    while low < high:
        middle = (low + high) // 2
        enough = majority(round(middle * hits / n), middle) >= wanted
        low, high = (low, middle) if enough else (middle + 1, high)
    return low


def discoveries(values: NDArray[np.float64], alpha: float) -> NDArray[np.bool_]:
    """Which of many null hypotheses to reject, with a false discovery rate of at most alpha.

    e-BH (Wang and Ramdas, False discovery rate control with e-values, JRSS B 84, 2022, section 3):
    the k largest of K, where k is the largest number with k * (the k-th largest) >= K / alpha. It
    holds whatever the dependence between them. Where all null hypotheses are true, anything is
    rejected with a probability of at most alpha.

    values: e-values, shape (K,). Returns bools of the same shape.
    """
    k = np.arange(1, len(values) + 1)
    order = np.argsort(-values, kind="stable")
    passes = np.flatnonzero(k * values[order] >= len(values) / alpha)
    found = np.zeros(len(values), dtype=bool)
    if len(passes):
        found[order[: passes[-1] + 1]] = True
    return found


def median_interval(values: NDArray[np.float64], alpha: float) -> tuple[float, float] | None:
    """Interval of the median of what the values are drawn from; None: too few of them.

    It holds at all looks at once, with a probability of at least 1 - alpha: the medians that
    `majority` refutes on neither side, each with half of alpha. Its ends are two of the values
    (the confidence sequence of the sign test; Howard and Ramdas, Sequential estimation of
    quantiles, Bernoulli 28, 2022, give tighter ones for many values).
    """
    n = len(values)
    enough = next((hits for hits in range(n + 1) if majority(hits, n) >= 2 / alpha), None)
    if enough is None:
        return None
    rising = np.sort(values)
    return float(rising[n - enough]), float(rising[enough - 1])
