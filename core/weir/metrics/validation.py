"""How much of the time a sender's window was larger than what the network had confirmed.

RFC 7661 (4.3) calls a window non-validated while pipeACK < cwnd / 2; pipeACK (4.5.1) is the largest
volume acknowledged within one RTT during the last max(3 RTT, 1 s). The metric says it of any
control, whether it cares or not.

The volume is taken where it leaves the bottleneck: what leaves it within one RTT is acknowledged
within one RTT, later by the constant way on to the client and back. Each ACK is held against
the bottleneck's departures until the ACK's own packet, that is until the ACK less the path's part
behind the bottleneck. A sample spans one srtt, as recorded with that ACK. Before the first srtt
there is no sample and the window counts as validated.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from weir.metrics.context import Context
from weir.metrics.info import MetricInfo, Value
from weir.metrics.link import Floats
from weir.metrics.network import SENT
from weir.metrics.session import Session
from weir.rundir.data import Columns

INFO = (
    MetricInfo(
        "non_validated_acks_percent",
        "%",
        "client",
        "RFC 7661, 4.3 and 4.5.1; weir.metrics.validation",
        None,
        "ACKs that found a non-validated window",
    ),
)
_MIN_PERIOD_S: Final = 1.0
_SAMPLES: Final = 16
"""Samples taken within a period: their ends stand a sixteenth of it apart."""


def non_validated(acks: Columns, packets: Columns, behind_s: float) -> NDArray[np.bool_]:
    """(n,) which of a flow's ACKs found pipeACK < cwnd / 2.

    acks: rows with t_ns, cwnd, srtt_us, in order. packets: rows with departure_ns, fate, payload.
    behind_s: delay from the bottleneck over the client to the server.
    """
    sent = (packets["payload"] > 0) & (packets["fate"] == SENT)
    departure_s = np.sort(packets["departure_ns"][sent]).astype(np.float64) / 1e9
    at_s = acks["t_ns"].astype(np.float64) / 1e9 - behind_s
    srtt_s = acks["srtt_us"].astype(np.float64) / 1e6
    period_s = np.maximum(3 * srtt_s, _MIN_PERIOD_S)
    most = np.zeros(len(at_s))
    for step in range(_SAMPLES):
        end_s = at_s - period_s * step / _SAMPLES
        most = np.maximum(most, _between(departure_s, end_s - srtt_s, end_s))
    return (srtt_s > 0) & (2 * most < acks["cwnd"])


def _between(times_s: Floats, from_s: Floats, to_s: Floats) -> Floats:
    until = np.searchsorted(times_s, [from_s, to_s], side="right")
    return (until[1] - until[0]).astype(np.float64)


def measure(session: Session, context: Context) -> dict[str, Value]:
    """Over all ACKs of the client's connections."""
    if context.tcp is None or context.packets is None:
        return {"non_validated_acks_percent": None}
    behind_s = context.base_rtt_s - context.ahead_s
    found = [
        non_validated(context.tcp[flow["flow"]], context.packets[flow["flow"]], behind_s)
        for flow in context.flows_of(session)
        if flow["flow"] in context.tcp and flow["flow"] in context.packets
    ]
    acks = sum(len(each) for each in found)
    share = sum(int(each.sum()) for each in found) / acks if acks else None
    return {"non_validated_acks_percent": None if share is None else 100 * share}
