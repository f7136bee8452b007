"""frOFF*: how often a connection idles long enough for the server to restart its window.

OFF periods longer than the RTO, per downloaded segment. An OFF period lasts from a segment's last
byte to the next request on the same connection (another connection's window is not at stake).

RTO. The kernel's is srtt + max(tcp_rto_min, rttvar term) with tcp_rto_min = 200 ms
(tcp_set_rto, tcp_rtt_estimator; RFC 6298 has srtt + max(G, 4 RTTVAR) and a 1 s floor instead).
Recorded is srtt alone, but each sample moves it by an eighth of its deviation, so
8 * |change of srtt| is that sample's |RTT - srtt|. RTO = srtt + max(200 ms, 4 * D), srtt the last
one before the next request, D the mean of these deviations since the segment's request. The floor
rules while D < 50 ms, that is nearly always; above, the kernel's rttvar follows the largest recent
deviation, so that this RTO is at most the kernel's. The server itself idles about one RTT longer
than the client's OFF period; the metric keeps to the definition.
"""

from __future__ import annotations

import numpy as np

from weir.metrics.context import Context
from weir.metrics.info import MetricInfo, Value
from weir.metrics.link import Floats
from weir.metrics.session import Session
from weir.rundir.data import Columns

RTO_MIN_S = 0.2
"""Linux TCP_RTO_MIN"""

INFO = (
    MetricInfo(
        "froff",
        "",
        "client",
        "Ben Ameur et al. 2018; RTO: Linux tcp_set_rto, estimated from srtt",
        "lower",
        "Frequency of OFF periods longer than the RTO (frOFF*)",
    ),
)


def rto_s(acks: Columns, since_s: Floats, until_s: Floats) -> Floats:
    """RTO in s at each `until_s`, deviations taken from `since_s` on; infinite before any ACK."""
    t_s = acks["t_ns"].astype(np.float64) / 1e9
    srtt = acks["srtt_us"].astype(np.float64) / 1e6
    deviation = np.concatenate(([0.0], 8 * np.abs(np.diff(srtt))))
    total = np.concatenate(([0.0], np.cumsum(deviation)))
    samples = np.concatenate(([0], np.cumsum(deviation > 0)))
    first = np.searchsorted(t_s, since_s, side="right")
    last = np.searchsorted(t_s, until_s, side="right")
    mean = (total[last] - total[first]) / np.maximum(samples[last] - samples[first], 1)
    known = srtt[np.maximum(last - 1, 0)] if len(srtt) else np.zeros(len(last))
    return np.where(last > 0, known + np.maximum(RTO_MIN_S, 4 * mean), np.inf)


def long_off_periods(request_s: Floats, last_byte_s: Floats, acks: Columns) -> int:
    """OFF periods longer than the RTO on one connection, given its segments in order."""
    off = request_s[1:] - last_byte_s[:-1]
    return int(np.count_nonzero(off > rto_s(acks, request_s[:-1], request_s[1:])))


def measure(session: Session, context: Context) -> dict[str, Value]:
    segments = len(session.rows["segment"])
    if context.tcp is None or not segments:
        return {"froff": None}
    count = 0
    for flow in context.flows_of(session):
        mine = session.rows["connection"] == flow["remote_port"]
        if flow["flow"] in context.tcp and mine.any():
            request, last_byte = session.column("request_s"), session.column("last_byte_s")
            count += long_off_periods(request[mine], last_byte[mine], context.tcp[flow["flow"]])
    return {"froff": count / segments}
