"""Deadlines met and missed, by the segments of a client that has some."""

from __future__ import annotations

import numpy as np

from weir.films import film_of, is_session
from weir.metrics.context import Context
from weir.metrics.info import MetricInfo, Value
from weir.metrics.session import Session

_CLAEYS = "Claeys et al. 2016"
INFO = (
    MetricInfo(
        "late_segments",
        "",
        "client",
        _CLAEYS,
        "lower",
        "Late segments",
        "number of segments i = 1, 2, ... whose last byte came after start + after + i * segment "
        "length, or was due and never came; of a session also those with an overdue byte",
    ),
    MetricInfo(
        "late_percent",
        "%",
        "client",
        _CLAEYS,
        "lower",
        "Share of late segments",
        "100 * late_segments / segments that came, or were due by the client's stop",
    ),
    MetricInfo(
        "least_margin_s",
        "s",
        "client",
        _CLAEYS,
        "higher",
        "Least margin to a deadline",
        "min (deadline - arrival of the last byte) in s, over the segments that came or were due; "
        "what never came counts as come at the client's stop",
    ),
)


def measure(session: Session, context: Context) -> dict[str, Value]:
    """A segment is late when its last byte comes after its deadline, or was due and never came; of
    a session, whose record tells how long bytes were overdue, when any of its bytes was.

    The margin is from a last byte's arrival to its deadline; what never came by the session's end
    counts as come then. Defined for clients with deadlines; of segments that were not due by then
    none of these tells. late_percent is what a live player that never pauses would skip.
    """
    experiment = context.data.experiment
    client = experiment["clients"][session.client - 1]
    deadlines = client.get("deadlines")
    if deadlines is None:
        return dict.fromkeys((info.name for info in INFO), None)
    segment_s = film_of(experiment, session.client)["segment_s"]
    count = int(deadlines["length_s"] / segment_s + 1e-9)
    due_s = session.start_s + deadlines["after_s"] + segment_s * np.arange(1, count + 1)
    come_s = np.full(count, np.inf)
    rows = session.rows["segment"].astype(np.int64)
    known = rows < count
    come_s[rows[known]] = session.column("last_byte_s")[known]
    overdue = np.zeros(count, bool)
    if is_session(experiment, session.client):
        asked = session.log["segment"].astype(np.int64)
        overdue[asked[(asked < count) & (session.log["stall_s"] > 0)]] = True
    stop_s = context.ended_s if client["stop_s"] is None else client["stop_s"]
    told = np.isfinite(come_s) | (due_s <= stop_s) | overdue
    margin_s = (due_s - np.minimum(come_s, stop_s))[told]
    missing = np.isinf(come_s[told])
    late = (margin_s < 0) | missing | overdue[told]
    return {
        "late_segments": int(late.sum()),
        "late_percent": 100 * float(late.mean()) if len(late) else None,
        "least_margin_s": float(margin_s.min()) if len(margin_s) else None,
    }
