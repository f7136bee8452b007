"""Instability: how much the quality changes, recent changes weighing more."""

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


def measure(session: Session, context: Context) -> dict[str, Value]:
    return {"instability_percent": instability_percent(session.rates_bps)}
