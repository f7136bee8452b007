"""frOFF*: how often a connection idles long enough for the server to restart its window.

OFF periods longer than the RTO, per downloaded segment. An OFF period lasts from a segment's last
byte to the next request on the same connection (another connection's window is not at stake).

The RTO is the kernel's own (inet_csk icsk_rto: srtt + max(200 ms, its rttvar term), RFC 6298 with
a lower floor), as recorded with the last ACK before that request. The record is made before an ACK
is processed, so it is the RTO that the ACK found. The server itself idles about one RTT longer than
the client's OFF period; the metric keeps to the definition.
"""

from __future__ import annotations

import numpy as np

from weir.metrics.context import Context
from weir.metrics.info import MetricInfo, Value
from weir.metrics.link import Floats
from weir.metrics.session import Session
from weir.rundir.data import Columns

INFO = (
    MetricInfo(
        "froff",
        "",
        "client",
        "Ben Ameur et al. 2018; RTO: the kernel's icsk_rto",
        "lower",
        "Frequency of OFF periods longer than the RTO (frOFF*)",
        "(number of OFF periods longer than the RTO then) / segments that arrived; OFF period: "
        "from a last byte to the next request on the connection",
    ),
)


def rto_s(acks: Columns, at_s: Floats) -> Floats:
    """The flow's RTO in s as of each time; infinite before the first ACK."""
    seen = np.searchsorted(acks["t_ns"], np.round(at_s * 1e9), side="right")
    return np.concatenate(([np.inf], acks["rto_us"].astype(np.float64) / 1e6))[seen]


def long_off_periods(request_s: Floats, last_byte_s: Floats, acks: Columns) -> int:
    """OFF periods longer than the RTO on one connection, given its requests in order."""
    off = off_s(request_s, last_byte_s)
    return int(np.count_nonzero(off > rto_s(acks, request_s[1:])))


def off_s(request_s: Floats, last_byte_s: Floats) -> Floats:
    """From the last byte of all before it to each request but the first, in s.

    Below 0 where another request was still being answered.
    """
    off: Floats = request_s[1:] - np.maximum.accumulate(last_byte_s[:-1])
    return off


def measure(session: Session, context: Context) -> dict[str, Value]:
    segments = len(session.rows["segment"])
    if context.tcp is None or not segments:
        return {"froff": None}
    count = 0
    for flow in context.flows_of(session):
        mine = session.log["connection"] == flow["remote_port"]
        if flow["flow"] in context.tcp and mine.any():
            acks = context.tcp[flow["flow"]]
            times = session.log["request_s"][mine], session.log["last_byte_s"][mine]
            count += long_off_periods(*times, acks)
    return {"froff": count / segments}
