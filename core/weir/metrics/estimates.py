"""How widely a player's throughput estimates are spread: raw samples, and what the rule used.

Raw is the throughput of one segment as the player measures it; smoothed is the estimate in force
for the next choice, as the player logs it. Quantiles by linear interpolation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from weir.metrics.context import Context
from weir.metrics.info import MetricInfo, Value
from weir.metrics.link import Floats
from weir.metrics.session import Session

_QUANTILES: Final = (
    ("p05", 5, "5th percentile"),
    ("median", 50, "Median"),
    ("p95", 95, "95th percentile"),
)
_KINDS: Final = (
    ("raw", "raw_bps", "throughput samples"),
    ("smoothed", "estimate_bps", "throughput estimates"),
)
_OVER: Final = "over the segments that arrived whole; zero and undefined ones left out"
_SOURCE: Final = "weir.metrics.estimates; after Yanev et al. 2022, figure 4"


def _infos(kind: str, what: str) -> Iterator[MetricInfo]:
    for name, _, quantile in _QUANTILES:
        title = f"{quantile} of {what}"
        formula = f"{quantile.lower()} of {what} in bit/s, {_OVER}"
        yield MetricInfo(f"{kind}_{name}_bps", "bit/s", "client", _SOURCE, None, title, formula)
    title = f"Interquartile range of {what}"
    formula = f"75th - 25th percentile of {what} in bit/s, {_OVER}"
    yield MetricInfo(f"{kind}_iqr_bps", "bit/s", "client", _SOURCE, "lower", title, formula)


INFO = tuple(info for kind, _, what in _KINDS for info in _infos(kind, what))


def spread(values_bps: Floats) -> dict[str, float]:
    """{"p05", "median", "p95", "iqr"} in bit/s, of at least one value."""
    percents = [percent for _, percent, _ in _QUANTILES]
    *told, lower, upper = np.percentile(values_bps, [*percents, 25, 75]).tolist()
    names = (name for name, _, _ in _QUANTILES)
    return {**dict(zip(names, told, strict=True)), "iqr": upper - lower}


def measure(session: Session, context: Context) -> dict[str, Value]:
    """Over the segments that arrived whole; zero or undefined estimates are left out."""
    out: dict[str, Value] = dict.fromkeys(info.name for info in INFO)
    for kind, column, _ in _KINDS:
        values = session.column(column)
        values = values[np.isfinite(values) & (values > 0)]
        if len(values):
            out |= {f"{kind}_{name}_bps": value for name, value in spread(values).items()}
    return out
