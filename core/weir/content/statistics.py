"""What a film's segment sizes look like, in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import correlation, fmean, pstdev

__all__ = ["Statistics", "statistics_of"]


@dataclass(frozen=True)
class Statistics:
    """Per level, lowest first: mean rate (bit/s), coefficient of variation (population), largest
    segment over the mean, lag-1 autocorrelation. across: the least Pearson correlation of two
    levels' sizes. Correlations of sizes that do not vary are nan."""

    mean_bps: list[float]
    variation: list[float]
    peak: list[float]
    lag1: list[float]
    across: float


def statistics_of(sizes_bytes: Sequence[Sequence[int]], segment_s: float) -> Statistics:
    """sizes_bytes: [level][segment]."""
    means = [fmean(row) for row in sizes_bytes]
    varying = all(len(set(row)) > 1 for row in sizes_bytes)
    pairs = [(a, b) for i, a in enumerate(sizes_bytes) for b in sizes_bytes[:i]]
    return Statistics(
        mean_bps=[mean * 8 / segment_s for mean in means],
        variation=[pstdev(row) / mean for row, mean in zip(sizes_bytes, means, strict=True)],
        peak=[max(row) / mean for row, mean in zip(sizes_bytes, means, strict=True)],
        lag1=[_lag1(row, mean) for row, mean in zip(sizes_bytes, means, strict=True)],
        across=min((correlation(a, b) for a, b in pairs), default=1.0) if varying else float("nan"),
    )


def _lag1(row: Sequence[int], mean: float) -> float:
    total = sum((size - mean) ** 2 for size in row)
    if total == 0:
        return float("nan")
    return sum((a - mean) * (b - mean) for a, b in pairwise(row)) / total
