"""Fairness between the clients of a run."""

from __future__ import annotations

import numpy as np

from weir.metrics.context import Context
from weir.metrics.info import MetricInfo, Value
from weir.metrics.link import Floats

INFO = (
    MetricInfo(
        "quality_unfairness_percent",
        "%",
        "run",
        "Livi et al. 2017 (QU)",
        "lower",
        "Quality unfairness",
        "max - min over clients of mean 100 * level / (levels - 1) over the segments that "
        "arrived, level from 0; 0 for a client without any",
    ),
    MetricInfo(
        "jain",
        "",
        "run",
        "Jain, Chiu, Hawe 1984, of the clients' mean bitrates",
        "higher",
        "Jain's fairness index",
        "(sum x)^2 / (n * sum x^2), x: mean bitrate in bit/s of each of n clients over the "
        "segments that arrived; 0 for a client without any",
    ),
)


def unfairness_percent(mean_quality_percent: Floats) -> float | None:
    """QU: largest minus smallest of the clients' mean qualities; None for fewer than two."""
    if len(mean_quality_percent) < 2:
        return None
    return float(mean_quality_percent.max() - mean_quality_percent.min())


def jain(x: Floats) -> float | None:
    """(sum x)^2 / (n sum x^2), in [1/n, 1]; None for fewer than two clients or all zero."""
    square = float(np.dot(x, x))
    return float(x.sum()) ** 2 / (len(x) * square) if len(x) >= 2 and square > 0 else None


def measure(context: Context) -> dict[str, Value]:
    """Quality of level l on a ladder of n levels = 100 * l / (n - 1) %, mean over the segments that
    arrived. A client that got none counts with quality and bitrate 0.
    """
    top = len(context.ladder) - 1
    rows = [session.rows for session in context.sessions]
    levels = np.array([_mean(r["level"].astype(np.float64)) for r in rows])
    rates = np.array([_mean(r["bitrate_bps"].astype(np.float64)) for r in rows])
    return {
        "quality_unfairness_percent": unfairness_percent(100 * levels / top) if top else None,
        "jain": jain(rates),
    }


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else 0.0
