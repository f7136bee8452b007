"""Quality switches: their number, rate and distribution."""

from __future__ import annotations

import numpy as np

from weir.metrics.context import Context
from weir.metrics.info import MetricInfo, Value
from weir.metrics.session import Session

INFO = (
    MetricInfo(
        "switch_count",
        "",
        "client",
        "player log",
        "lower",
        "Quality switches",
        "number of segments i with level_i != level_(i-1), of those that arrived whole",
    ),
    MetricInfo(
        "ins",
        "",
        "client",
        "Livi et al. 2017 (INS)",
        "lower",
        "Instability: switches per segment",
        "switch_count / segments that arrived whole",
    ),
)


def switch_steps(session: Session) -> dict[str, int]:
    """How often each signed level step occurs between segments in a row; "0" is left out."""
    steps = np.diff(session.rows["level"].astype(np.int64))
    values, counts = np.unique(steps[steps != 0], return_counts=True)
    return {f"{v:+d}": int(n) for v, n in zip(values.tolist(), counts, strict=True)}


def measure(session: Session, context: Context) -> dict[str, Value]:
    """switch_count: segments at another level than the one before. ins: that / segments."""
    level = session.rows["level"]
    if not len(level):
        return {"switch_count": None, "ins": None}
    count = int(np.count_nonzero(level[1:] != level[:-1]))
    return {"switch_count": count, "ins": count / len(level)}
