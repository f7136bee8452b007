"""Instability: how much the quality changes, and when.

Two weightings, because the paper's formula and the paper's numbers do not agree. By the formula a
change weighs as much as the time since the start, so that the climb to the optimum in the first
seconds counts for almost nothing: a client that reaches level 3 after 5 s and stays has 0.01 %.
The paper's best cases are all near 1 %, which is what that same climb gives when a change weighs
as much as the time that is left (docs/ben-ameur-2016.md).
"""

from __future__ import annotations

import numpy as np

from weir.metrics.context import Context
from weir.metrics.info import MetricInfo, Value
from weir.metrics.link import Floats
from weir.metrics.session import Session

INFO = (
    MetricInfo(
        "instability_percent",
        "%",
        "client",
        "Ben Ameur et al. 2018; Jiang et al. 2012 (FESTIVE), section 2",
        "lower",
        "Instability (IS)",
        "100 * sum_(j=1..K) |Q(j) - Q(j-1)| * j / sum_(j=0..K-1) Q(j) * j, Q(j): bitrate in bit/s "
        "of the segment asked for last at second j",
    ),
    MetricInfo(
        "instability_early_percent",
        "%",
        "client",
        "Ben Ameur et al. 2018, with w(i) = i as their numbers suggest",
        "lower",
        "Instability, early changes weighing more",
        "100 * sum_(j=1..K) |Q(j) - Q(j-1)| * (K - j) / sum_(j=0..K-1) Q(j) * (K - j), Q(j): "
        "bitrate in bit/s of the segment asked for last at second j",
    ),
)


def instability_percent(rates: Floats) -> float | None:
    """IS of Q(0), ..., Q(K), in percent.

    100 * sum_{i=0}^{K-1} |Q(K-i) - Q(K-i-1)| w(i) / sum_{i=1}^{K} Q(K-i) w(i), w(i) = K - i.
    Q(K-i) thus weighs K - i: with j = K - i the numerator is sum_{j=1}^{K} |Q(j) - Q(j-1)| j and
    the denominator sum_{j=0}^{K-1} Q(j) j. None if K < 2, where the denominator is empty.
    """
    j = np.arange(len(rates), dtype=np.float64)
    below = float(np.dot(rates[:-1], j[:-1]))
    if below <= 0:
        return None
    return 100 * float(np.dot(np.abs(np.diff(rates)), j[1:])) / below


def instability_early_percent(rates: Floats) -> float | None:
    """IS with a change at second j weighing K - j, in percent.

    100 * sum_{j=1}^{K} |Q(j) - Q(j-1)| (K - j) / sum_{j=0}^{K-1} Q(j) (K - j). None if K < 2.
    """
    left = np.arange(len(rates) - 1, -1, -1, dtype=np.float64)
    below = float(np.dot(rates[:-1], left[:-1]))
    if len(rates) < 3 or below <= 0:
        return None
    return 100 * float(np.dot(np.abs(np.diff(rates)), left[1:])) / below


def measure(session: Session, context: Context) -> dict[str, Value]:
    return {
        "instability_percent": instability_percent(session.rates_bps),
        "instability_early_percent": instability_early_percent(session.rates_bps),
    }
