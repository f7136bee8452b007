"""What the bottleneck did to one client's packets: how long it held them, which it marked."""

from __future__ import annotations

import numpy as np

from weir.metrics.context import Context
from weir.metrics.info import MetricInfo, Value
from weir.metrics.network import SENT, queueing_delay_s
from weir.metrics.session import Session
from weir.rundir.data import Columns

_RECORD = "bottleneck record, of the client's own packets"
INFO = (
    MetricInfo(
        "own_queueing_delay_mean_s",
        "s",
        "client",
        _RECORD,
        "lower",
        "Mean queueing delay of own packets",
        "mean (departure - arrival at the bottleneck) in s, over the client's packets that left it",
    ),
    MetricInfo(
        "own_queueing_delay_p95_s",
        "s",
        "client",
        f"{_RECORD}; percentile by linear interpolation",
        "lower",
        "95th percentile of own packets' queueing delay",
        "95th percentile of (departure - arrival at the bottleneck) in s, over the client's "
        "packets that left it",
    ),
    MetricInfo(
        "ce_marked_percent",
        "%",
        "client",
        _RECORD,
        None,
        "Packets marked CE",
        "100 * the client's packets that the bottleneck marked CE / those that left it",
    ),
)


def marked_percent(packets: Columns) -> float | None:
    """100 * packets that the bottleneck marked / packets that left it; None where none did, or
    where marks are not recorded: no host asked for ECN.
    """
    sent = packets["fate"] == SENT
    if "marked" not in packets or not sent.any():
        return None
    return 100 * float(np.mean(packets["marked"][sent] != 0))


def measure(session: Session, context: Context) -> dict[str, Value]:
    """Over all packets of the client's connections that left a bottleneck, on all paths. Delays are
    those of `queueing_delay_mean_s`: where flows have queues of their own, each sees its own.
    """
    out: dict[str, Value] = {info.name: None for info in INFO}
    flows = [each["flow"] for each in context.flows_of(session)]
    parts = [packets for number, packets in (context.packets or {}).items() if number in flows]
    if not parts:
        return out
    names = {"fate", "arrival_ns", "departure_ns", "marked"} & parts[0].keys()
    own = {name: np.concatenate([part[name] for part in parts]) for name in names}
    if (delay := queueing_delay_s(own)) is not None:
        out["own_queueing_delay_mean_s"], out["own_queueing_delay_p95_s"] = delay
    out["ce_marked_percent"] = marked_percent(own)
    return out
