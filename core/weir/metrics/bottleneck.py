"""What one bottleneck did, of the packets that met it alone: a path's, or one upstream of it."""

from __future__ import annotations

from typing import Literal

import numpy as np

from weir.metrics.context import Context
from weir.metrics.info import MetricInfo, Value
from weir.metrics.link import Link
from weir.metrics.network import (
    BIN_S,
    loss_rate_percent,
    mean_delay_of_seconds_s,
    queueing_delay_s,
    span_s,
    throughput_bps,
    utilisation_percent,
)
from weir.resolved_network import Link as ResolvedLink
from weir.rundir.data import Columns

__all__ = ["info", "measured"]

_RECORD = "bottleneck record"


def info(scope: Literal["path", "upstream"]) -> tuple[MetricInfo, ...]:
    """What `measured` names."""
    return (
        MetricInfo(
            "throughput_bps",
            "bit/s",
            scope,
            _RECORD,
            "higher",
            "Throughput",
            "8 * bytes of whole frames that left this bottleneck / time in s from the first "
            "session's start to the last one's end",
        ),
        MetricInfo(
            "link_utilisation_percent",
            "%",
            scope,
            _RECORD,
            "higher",
            "Link utilisation",
            f"100 * mean over {1000 * BIN_S:g} ms bins of (bits sent / bits this link could "
            "carry), from the first session's start to the last one's end; bins without capacity "
            "left out",
        ),
        MetricInfo(
            "dropped_packets",
            "packets",
            scope,
            _RECORD,
            "lower",
            "Dropped packets",
            "number of packets dropped at this bottleneck, in the whole run",
        ),
        MetricInfo(
            "loss_rate_percent",
            "%",
            scope,
            _RECORD,
            "lower",
            "Loss rate",
            "100 * dropped / (sent + dropped) packets at this bottleneck, in the whole run",
        ),
        MetricInfo(
            "backlog_mean_packets",
            "packets",
            scope,
            _RECORD,
            "lower",
            "Mean queue length",
            "mean length of this queue in packets, as each packet finds it that comes",
        ),
        MetricInfo(
            "backlog_max_packets",
            "packets",
            scope,
            _RECORD,
            "lower",
            "Longest queue",
            "largest length of this queue in packets, in the whole run",
        ),
        MetricInfo(
            "queueing_delay_mean_s",
            "s",
            scope,
            _RECORD,
            "lower",
            "Mean queueing delay",
            "mean (departure - arrival) in s at this bottleneck, over all packets that left it",
        ),
        MetricInfo(
            "queueing_delay_p95_s",
            "s",
            scope,
            _RECORD,
            "lower",
            "95th percentile of queueing delay",
            "95th percentile of (departure - arrival) in s at this bottleneck, over all packets "
            "that left it",
        ),
    )


def measured(
    context: Context,
    link: ResolvedLink,
    bins: Columns | None,
    packets: Columns | None,
    seconds: Columns | None,
) -> dict[str, Value]:
    """As the run's own metrics of these names, of this bottleneck's records; None: was off.

    backlog_mean_packets: the queue's length as arriving packets find it.
    """
    out: dict[str, Value] = {each.name: None for each in info("path")}
    if bins is not None:
        start_s, end_s = span_s(context)
        out["throughput_bps"] = throughput_bps(bins, start_s, end_s)
        if link["rate_steps"]:
            shaped = Link(link["rate_steps"], link["rate_loop_s"])
            out["link_utilisation_percent"] = utilisation_percent(bins, shaped, start_s, end_s)
        out["dropped_packets"] = int(bins["dropped"].sum(dtype=np.int64))
        out["loss_rate_percent"] = loss_rate_percent(bins)
        out["backlog_max_packets"] = int(bins["backlog_max"].max(initial=0))
    if packets is not None:
        if len(packets["backlog"]):
            out["backlog_mean_packets"] = float(packets["backlog"].mean())
        if (delay := queueing_delay_s(packets)) is not None:
            out["queueing_delay_mean_s"], out["queueing_delay_p95_s"] = delay
    elif seconds is not None:
        left = int(seconds["sent_packets"].sum() + seconds["dropped"].sum())
        if left:
            found = int(seconds["backlog_sum"].sum(dtype=np.int64))
            out["backlog_mean_packets"] = found / left
        out["queueing_delay_mean_s"] = mean_delay_of_seconds_s(seconds)
    return out
