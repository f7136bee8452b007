"""What sessions and clients were sent, from their own logs."""

from __future__ import annotations

import numpy as np

from weir.films import is_session
from weir.metrics.context import Context
from weir.metrics.info import MetricInfo, Value
from weir.metrics.session import Session

SETTLED_S = 20.0
_CLAEYS = "Claeys et al. 2016"
INFO = (
    MetricInfo(
        "transfer_bps",
        "bit/s",
        "client",
        _CLAEYS,
        "higher",
        "Rate of the whole transfer",
        "8 * body bytes / time in s from the start to the last byte, of a session's film that "
        "came whole",
    ),
    MetricInfo(
        "settled_throughput_bps",
        "bit/s",
        "client",
        f"{_CLAEYS}; without the first 20 s",
        "higher",
        "Throughput once settled",
        f"8 * body bytes that came later than {SETTLED_S:g} s after the start / rest of the time "
        "in s, until the film's last byte or the end",
    ),
)


def measure(session: Session, context: Context) -> dict[str, Value]:
    """transfer_bps: of a session's film that came whole, its bits over the time from the request to
    its last byte. settled_throughput_bps: body bits that came later than 20 s after the client's
    start, over the rest of its time: until its film's last byte, or the end.
    """
    out: dict[str, Value] = dict.fromkeys(info.name for info in INFO)
    sizes = session.log["size_bytes"].astype(np.float64)
    if not len(sizes):
        return out
    came_s = session.log["last_byte_s"].astype(np.float64)
    own = is_session(context.data.experiment, session.client)
    if own and session.finished:
        out["transfer_bps"] = 8 * float(sizes.sum()) / float(came_s.max() - session.start_s)
    from_s, until_s = settled_s(session)
    if until_s > from_s:
        out["settled_throughput_bps"] = throughput_bps(session, from_s, until_s)
    return out


def settled_s(session: Session) -> tuple[float, float]:
    """From when until when (s) a session is settled; never, where the second is not later."""
    came_s = session.log["last_byte_s"]
    until_s = float(came_s.max()) if session.finished and len(came_s) else session.end_s
    return session.start_s + SETTLED_S, until_s


def throughput_bps(session: Session, from_s: float, until_s: float) -> float:
    """Body bits that came after the one time (s) and not after the other, over the time between."""
    came_s = session.log["last_byte_s"]
    sizes = session.log["size_bytes"].astype(np.float64)
    return 8 * float(sizes[(came_s > from_s) & (came_s <= until_s)].sum()) / (until_s - from_s)
