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
from weir.metrics.network import SENT
from weir.metrics.session import Session
from weir.rundir.data import Columns

_MIN_PERIOD_S: Final = 1.0
_BIN_S: Final = _MIN_PERIOD_S / 5
"""As RFC 7661, 4.5.1, proposes: what is older than the period leaves bin by bin."""
INFO = (
    MetricInfo(
        "non_validated_acks_percent",
        "%",
        "client",
        "RFC 7661, 4.3 and 4.5.1; weir.metrics.validation",
        None,
        "ACKs that found a non-validated window",
        "100 * (ACKs that find pipeACK < cwnd / 2) / all ACKs; pipeACK: most packets that left "
        f"the bottleneck within one srtt, of the last max(3 srtt, {_MIN_PERIOD_S:g} s)",
    ),
)


def non_validated(acks: Columns, packets: Columns, behind_s: float) -> NDArray[np.bool_]:
    """(n,) which of a flow's ACKs found pipeACK < cwnd / 2.

    acks: rows with t_ns, cwnd, srtt_us, in order. packets: rows with departure_ns, fate, payload.
    behind_s: delay from the bottleneck over the client to the server.
    """
    if not len(acks["t_ns"]):
        return np.zeros(0, dtype=np.bool_)
    sent = (packets["payload"] > 0) & (packets["fate"] == SENT)
    departure_s = np.sort(packets["departure_ns"][sent], kind="stable").astype(np.float64) / 1e9
    at_s = acks["t_ns"].astype(np.float64) / 1e9 - behind_s
    srtt_s = acks["srtt_us"].astype(np.float64) / 1e6
    sample = np.searchsorted(departure_s, at_s, side="right") - np.searchsorted(
        departure_s, at_s - srtt_s, side="right"
    )
    bins = np.floor(at_s / _BIN_S).astype(np.int64)
    in_bins = np.ceil(np.maximum(3 * srtt_s, _MIN_PERIOD_S) / _BIN_S - 1e-9).astype(np.int64)
    most = np.maximum(sample, _of_earlier_bins(sample, bins - bins[0], in_bins))
    unconfirmed: NDArray[np.bool_] = (srtt_s > 0) & (2 * most < acks["cwnd"])
    return unconfirmed


def _of_earlier_bins(
    sample: NDArray[np.int64], bins: NDArray[np.int64], in_bins: NDArray[np.int64]
) -> NDArray[np.int64]:
    """(n,) largest sample of the last `in_bins` bins, the ACK's own among them."""
    largest = np.zeros(int(bins[-1]) + 1, dtype=np.int64)
    np.maximum.at(largest, bins, sample)
    most = np.zeros(len(sample), dtype=np.int64)
    for length in np.unique(in_bins):
        padded = np.concatenate((np.zeros(length - 1, dtype=np.int64), largest))
        of_bin = np.lib.stride_tricks.sliding_window_view(padded, length).max(axis=1)
        mine = in_bins == length
        most[mine] = of_bin[bins[mine]]
    return most


def measure(session: Session, context: Context) -> dict[str, Value]:
    """Over all ACKs of the client's connections."""
    if context.tcp is None or context.packets is None:
        return {"non_validated_acks_percent": None}
    found = [
        non_validated(
            context.tcp[flow["flow"]],
            context.packets[flow["flow"]],
            context.base_rtt_s(flow) - context.ahead_s(flow),
        )
        for flow in context.flows_of(session)
        if flow["flow"] in context.tcp and flow["flow"] in context.packets
    ]
    acks = sum(len(each) for each in found)
    share = sum(int(each.sum()) for each in found) / acks if acks else None
    return {"non_validated_acks_percent": None if share is None else 100 * share}
