"""Congestion rate and retransmissions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from weir.metrics.context import Context
from weir.metrics.info import MetricInfo, Value
from weir.metrics.session import Session

INFO = (
    MetricInfo(
        "cng",
        "1/100 s",
        "client",
        "Ben Ameur et al. 2018; ssthresh as tcp_current_ssthresh gives it",
        "lower",
        "Congestion rate (CNG)",
        "100 * (falls of ssthresh from one ACK to the next, over the client's connections) / K, "
        "K: play_s in s",
    ),
    MetricInfo(
        "retransmits",
        "",
        "client",
        "Linux tracepoint tcp:tcp_retransmit_skb",
        "lower",
        "Retransmitted segments",
        "number of segments sent again on the client's connections, each time counted",
    ),
)


def ssthresh_decreases(ssthresh: NDArray[Any]) -> int:
    """How often one flow's ssthresh falls from one ACK to the next.

    The first fall, from the kernel's initial "infinite" 0x7fffffff, counts. So do falls without a
    loss (HyStart's end in Cubic, Vegas' small steps): the paper counts what tcp_probe shows.
    """
    return int(np.count_nonzero(ssthresh[1:] < ssthresh[:-1]))


def measure(session: Session, context: Context) -> dict[str, Value]:
    """CNG = 100 * (ssthresh decreases) / K, each flow compared with itself, in events per 100 s.

    A client that opened several connections gets the sum over them.
    """
    numbers = [flow["flow"] for flow in context.flows_of(session)]
    out: dict[str, Value] = {"cng": None, "retransmits": None}
    if context.tcp is not None and session.seconds:
        flows = [context.tcp[number] for number in numbers if number in context.tcp]
        events = sum(ssthresh_decreases(flow["ssthresh"]) for flow in flows)
        out["cng"] = 100 * events / session.seconds
    if context.data.retransmits is not None:
        out["retransmits"] = int(np.isin(context.data.retransmits["flow"], numbers).sum())
    elif (seconds := context.data.tcp_seconds) is not None:
        mine = np.isin(seconds["flow"], numbers)
        out["retransmits"] = int(seconds["retransmits"][mine].sum(dtype=np.int64))
    return out
