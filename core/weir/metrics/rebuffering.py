"""Startup delay, stalls and rebuffer ratio."""

from __future__ import annotations

import numpy as np

from weir.metrics.context import Context
from weir.metrics.info import MetricInfo, Value
from weir.metrics.link import Floats
from weir.metrics.session import Session

SHORTEST_STALL_S = 1e-3
"""Shorter ones are rounding: no viewer sees less than a frame, 17 ms at the least."""

_LIVI = "Livi et al. 2017 (RBR)"
INFO = (
    MetricInfo("startup_s", "s", "client", "Mok et al. 2011", "lower", "Startup delay"),
    MetricInfo("stall_count", "", "client", "Mok et al. 2011", "lower", "Stalls"),
    MetricInfo("stall_mean_s", "s", "client", "Mok et al. 2011", "lower", "Mean stall"),
    MetricInfo("rebuffer_ratio_percent", "%", "client", _LIVI, "lower", "Rebuffer ratio"),
    MetricInfo(
        "rebuffer_ratio_no_startup_percent",
        "%",
        "client",
        f"{_LIVI}, without the startup delay",
        "lower",
        "Rebuffer ratio without startup",
    ),
)


def startup_s(session: Session) -> float | None:
    """From the client's start to the first segment's last byte, in s; None if it never came."""
    arrived = session.rows["last_byte_s"]
    return float(arrived[0]) - session.start_s if len(arrived) else None


def stalls_s(session: Session) -> Floats:
    """Lengths of the stalls in s, startup not among them.

    The last may be one that the session's end cuts short: the buffer ran dry after the last
    segment to arrive, and the film was not at its end.
    """
    if not len(session.rows["stall_s"]):
        return np.zeros(0)
    idle = session.end_s - float(session.rows["last_byte_s"][-1])
    unfinished = 0.0 if session.finished else idle - float(session.rows["buffer_after_s"][-1])
    stalls = np.append(session.column("stall_s"), unfinished)
    return stalls[stalls >= SHORTEST_STALL_S]


def measure(session: Session, context: Context) -> dict[str, Value]:
    """Ratios are percent of the session: (startup + stalls) / length, and without startup
    stalls / (length - startup). A client that never got a segment waited 100 % of it.
    """
    length = session.end_s - session.start_s
    startup, stalls = startup_s(session), stalls_s(session)
    stalled = float(stalls.sum())
    if startup is None:
        waited = 100.0 if length > 0 else None
        return {**dict.fromkeys(info.name for info in INFO), "rebuffer_ratio_percent": waited}
    playing = length - startup
    return {
        "startup_s": startup,
        "stall_count": len(stalls),
        "stall_mean_s": stalled / len(stalls) if len(stalls) else None,
        "rebuffer_ratio_percent": 100 * (startup + stalled) / length if length > 0 else None,
        "rebuffer_ratio_no_startup_percent": 100 * stalled / playing if playing > 0 else None,
    }
