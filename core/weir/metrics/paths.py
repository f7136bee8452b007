"""Throughput, loss, queueing and round trips of each path, where an experiment names its paths."""

from __future__ import annotations

import numpy as np

from weir.metrics.context import Context
from weir.metrics.info import MetricInfo, Value
from weir.metrics.link import Link
from weir.metrics.network import (
    loss_rate_percent,
    queueing_delay_s,
    rtt_inflation_percent,
    span_s,
    throughput_bps,
    utilisation_percent,
)
from weir.paths import has_names, paths_of
from weir.resolved import NamedPath
from weir.rundir.data import Columns

_RECORD = "bottleneck record"
INFO = (
    MetricInfo("throughput_bps", "bit/s", "path", _RECORD, "higher", "Throughput"),
    MetricInfo("link_utilisation_percent", "%", "path", _RECORD, "higher", "Link utilisation"),
    MetricInfo("dropped_packets", "packets", "path", _RECORD, "lower", "Dropped packets"),
    MetricInfo("loss_rate_percent", "%", "path", _RECORD, "lower", "Loss rate"),
    MetricInfo("backlog_mean_packets", "packets", "path", _RECORD, "lower", "Mean queue length"),
    MetricInfo("backlog_max_packets", "packets", "path", _RECORD, "lower", "Longest queue"),
    MetricInfo("queueing_delay_mean_s", "s", "path", _RECORD, "lower", "Mean queueing delay"),
    MetricInfo(
        "queueing_delay_p95_s", "s", "path", _RECORD, "lower", "95th percentile of queueing delay"
    ),
    MetricInfo("rtt_inflation_percent", "%", "path", "TCP record", "lower", "RTT inflation"),
)


def measure(context: Context) -> list[dict[str, str | Value]]:
    """Of each path, in their order: its name as "path", and what INFO names.

    As the run's own metrics of these names, of this path's bottleneck and subflows alone.
    backlog_mean_packets: the queue's length as arriving packets find it. Empty where paths are not
    named.
    """
    if not has_names(context.data.experiment):
        return []
    return [
        {"path": path["name"], **_path(context, number, path)}
        for number, path in enumerate(paths_of(context.data.experiment))
    ]


def _path(context: Context, number: int, path: NamedPath) -> dict[str, Value]:
    data, link = context.data, path["downlink"]
    out: dict[str, Value] = {info.name: None for info in INFO}
    if data.queue_10ms is not None:
        bins = _own(data.queue_10ms, number)
        start_s, end_s = span_s(context)
        out["throughput_bps"] = throughput_bps(bins, start_s, end_s)
        if link["rate_steps"]:
            shaped = Link(link["rate_steps"], link["rate_loop_s"])
            out["link_utilisation_percent"] = utilisation_percent(bins, shaped, start_s, end_s)
        out["dropped_packets"] = int(bins["dropped"].sum(dtype=np.int64))
        out["loss_rate_percent"] = loss_rate_percent(bins)
        out["backlog_max_packets"] = int(bins["backlog_max"].max(initial=0))
    if data.queue is not None:
        packets = _own(data.queue, number)
        if len(packets["backlog"]):
            out["backlog_mean_packets"] = float(packets["backlog"].mean())
        if (delay := queueing_delay_s(packets)) is not None:
            out["queueing_delay_mean_s"], out["queueing_delay_p95_s"] = delay
    if data.tcp is not None:
        mine = [flow["flow"] for flow in data.flows if flow.get("path") == path["name"]]
        on_it = np.isin(data.tcp["flow"], mine)
        acks = {"srtt_us": data.tcp["srtt_us"][on_it]}
        out["rtt_inflation_percent"] = rtt_inflation_percent(acks, path["path"]["rtt"]["mean_s"])
    return out


def _own(columns: Columns, number: int) -> Columns:
    on_it = columns["path"] == number
    return {name: values[on_it] for name, values in columns.items()}
