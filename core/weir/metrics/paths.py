"""Throughput, loss, queueing and round trips of each path, where an experiment names its paths."""

from __future__ import annotations

import numpy as np

from weir.metrics import bottleneck
from weir.metrics.context import Context
from weir.metrics.info import MetricInfo, Value
from weir.metrics.network import rtt_inflation_of_seconds, rtt_inflation_percent
from weir.paths import has_names, idle_rtt_s, paths_of
from weir.resolved_network import NamedPath
from weir.rundir.data import Columns

__all__ = ["INFO", "measure", "of_path"]

INFO = (
    *bottleneck.info("path"),
    MetricInfo(
        "rtt_inflation_percent",
        "%",
        "path",
        "TCP record",
        "lower",
        "RTT inflation",
        "100 * mean srtt over the ACKs of this path's connections / RTT of the idle path; 100: no "
        "inflation",
    ),
)


def measure(context: Context) -> list[dict[str, str | Value]]:
    """Of each path, in their order: its name as "path", and what INFO names.

    As the run's own metrics of these names, of this path's bottleneck and subflows alone. Empty
    where paths are not named.
    """
    if not has_names(context.data.experiment):
        return []
    return [
        {"path": path["name"], **_path(context, number, path)}
        for number, path in enumerate(paths_of(context.data.experiment))
    ]


def _path(context: Context, number: int, path: NamedPath) -> dict[str, Value]:
    data = context.data
    bins, packets = of_path(data.queue_10ms, number), of_path(data.queue, number)
    seconds = of_path(data.queue_seconds, number)
    out = bottleneck.measured(context, path["downlink"], bins, packets, seconds)
    out["rtt_inflation_percent"] = None
    mine = [flow["flow"] for flow in data.flows if flow.get("path") == path["name"]]
    if data.tcp is not None:
        on_it = np.isin(data.tcp["flow"], mine)
        acks = {"srtt_us": data.tcp["srtt_us"][on_it]}
        out["rtt_inflation_percent"] = rtt_inflation_percent(acks, idle_rtt_s(path))
    elif data.tcp_seconds is not None:
        on_it = np.isin(data.tcp_seconds["flow"], mine)
        rows = {name: values[on_it] for name, values in data.tcp_seconds.items()}
        out["rtt_inflation_percent"] = rtt_inflation_of_seconds(rows, idle_rtt_s(path))
    return out


def of_path(columns: Columns | None, number: int) -> Columns | None:
    """The rows of this path; all of them, where they do not tell."""
    if columns is None or "path" not in columns:
        return columns
    on_it = columns["path"] == number
    return {name: values[on_it] for name, values in columns.items()}
