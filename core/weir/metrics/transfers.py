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
    MetricInfo("transfer_bps", "bit/s", "client", _CLAEYS, "higher", "Rate of the whole transfer"),
    MetricInfo(
        "settled_throughput_bps",
        "bit/s",
        "client",
        f"{_CLAEYS}; without the first 20 s",
        "higher",
        "Throughput once settled",
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
    from_s = session.start_s + SETTLED_S
    until_s = float(came_s.max()) if session.finished else session.end_s
    if until_s > from_s:
        bits = 8 * float(sizes[came_s > from_s].sum())
        out["settled_throughput_bps"] = bits / (until_s - from_s)
    return out
