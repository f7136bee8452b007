"""Phase of each drop at the bottleneck (Livi et al. 2017): burst, ACK-clocking, ACK-trailing.

A segment's transfer is the new data (sequence numbers not seen before) that reaches the bottleneck
from its request to the next one on its connection; a dropped packet belongs to the transfer whose
sequence numbers it carries.

- burst: the packet is of the transfer's first window, sent before any ACK for it can have come
  back. That is one that reached the bottleneck until one path RTT after the transfer's first packet
  left it: the first packet's ACK releases new packets, and they need this long to get there.
- ACK-trailing: at the moment of the drop the server had no new data of the transfer left to send.
  It sent the last of it as long before that came to the bottleneck as the way there takes. What is
  dropped then is the last window, still on its way, or retransmissions.
- ACK-clocking: in between, ACKs release new data.

Burst wins where a transfer is not longer than its first window. A transfer cut off by the end has
no trailing phase.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from weir.metrics.context import Context
from weir.metrics.info import MetricInfo, Value
from weir.metrics.link import Floats
from weir.metrics.network import DROPPED, SENT
from weir.rundir.data import Columns

_SOURCE = "Livi et al. 2017; boundaries: weir.metrics.loss_phase"
INFO = (
    MetricInfo(
        "drops_burst",
        "",
        "run",
        _SOURCE,
        "lower",
        "Drops in the burst phase",
        "number of data packets dropped that came to the bottleneck until one idle RTT after "
        "their transfer's first packet left it",
    ),
    MetricInfo(
        "drops_ack_clocking",
        "",
        "run",
        _SOURCE,
        "lower",
        "Drops while ACK-clocked",
        "number of data packets dropped after the burst phase, before the server had sent the "
        "last new data of their transfer",
    ),
    MetricInfo(
        "drops_ack_trailing",
        "",
        "run",
        _SOURCE,
        "lower",
        "Drops while ACK-trailing",
        "number of data packets dropped after the burst phase, after the server had sent the last "
        "new data of their transfer; of transfers that came whole",
    ),
)

PHASES: Final = ("burst", "ack-clocking", "ack-trailing")


def phases(
    packets: Columns, request_s: Floats, whole: NDArray[np.bool_], rtt_s: float, ahead_s: float
) -> tuple[int, int, int]:
    """Drops of one flow in each of PHASES; none without requests. As of phase_of_drops."""
    if not len(request_s):
        return (0, 0, 0)
    found = phase_of_drops(packets, request_s, whole, rtt_s, ahead_s)
    burst, clocking, trailing = np.bincount(found, minlength=len(PHASES)).tolist()
    return (burst, clocking, trailing)


def phase_of_drops(
    packets: Columns, request_s: Floats, whole: NDArray[np.bool_], rtt_s: float, ahead_s: float
) -> NDArray[np.int64]:
    """Index into PHASES of each dropped data packet of one flow, in order of arrival.

    packets: the flow's rows in order of arrival. request_s, whole: (n,) its requests in order, n of
    at least 1, and whether the segment arrived whole. ahead_s: delay from the server to the
    bottleneck.
    """
    data = packets["payload"] > 0
    fate = packets["fate"][data]
    dropped = fate == DROPPED
    if not dropped.any():
        return np.zeros(0, dtype=np.int64)
    arrival = packets["arrival_ns"][data].astype(np.float64) / 1e9
    departure = packets["departure_ns"][data].astype(np.float64) / 1e9
    start = _unwrap(packets["seq"][data])
    highest = np.maximum.accumulate(start + packets["payload"][data].astype(np.int64))
    new = np.concatenate(([True], highest[1:] > highest[:-1]))
    came = arrival[new]
    bounds = np.append(0, np.searchsorted(came, request_s[1:]))
    found = np.flatnonzero(np.diff(bounds, append=len(came)))
    first = bounds[found]
    last = np.append(first[1:], len(came)) - 1
    leads = np.flatnonzero(new)[first]
    left = np.where(fate[leads] == SENT, departure[leads], arrival[leads])
    all_sent = np.where(whole[found], came[last] - ahead_s, np.inf)
    own = np.maximum(np.searchsorted(start[leads], start[dropped], side="right") - 1, 0)
    burst = arrival[dropped] <= (left + rtt_s)[own]
    trailing = ~burst & (departure[dropped] > all_sent[own])
    return np.where(burst, 0, np.where(trailing, 2, 1))


def _unwrap(seq: NDArray[Any]) -> NDArray[np.int64]:
    """32-bit sequence numbers as offsets from the first, across wrap-around."""
    wide = seq.astype(np.int64)
    step = (np.diff(wide) + 2**31) % 2**32 - 2**31
    return np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(step)))


def measure(context: Context) -> dict[str, Value]:
    """Counts over all flows of players; None with MPTCP, whose transfers are of several flows."""
    flows = context.packets
    if flows is None or any("transport" in client for client in context.data.experiment["clients"]):
        return dict.fromkeys(info.name for info in INFO)
    total = np.zeros(3, dtype=np.int64)
    for session in context.sessions:
        for flow in context.flows_of(session):
            mine = session.log["connection"] == flow["remote_port"]
            if flow["flow"] in flows and mine.any():
                requests = session.log["request_s"][mine], session.whole[mine]
                delays = context.base_rtt_s(flow), context.ahead_s(flow)
                total += phases(flows[flow["flow"]], *requests, *delays)
    return {info.name: int(count) for info, count in zip(INFO, total, strict=True)}
