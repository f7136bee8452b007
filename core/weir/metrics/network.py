"""Link utilisation, throughput of the path, loss rate, RTT inflation and queueing delay."""

from __future__ import annotations

import numpy as np

from weir.metrics.context import Context
from weir.metrics.info import MetricInfo, Value
from weir.metrics.link import Link
from weir.paths import idle_rtt_s, paths_of
from weir.rundir.data import Columns

BIN_S = 0.01
SENT, DROPPED = 0, 1

_LIVI = "Livi et al. 2017"
INFO = (
    MetricInfo(
        "link_utilisation_percent",
        "%",
        "run",
        f"{_LIVI} (LU, 10 ms samples)",
        "higher",
        "Link utilisation",
        f"100 * mean over {1000 * BIN_S:g} ms bins of (bits sent / bits the link could carry), "
        "from the first session's start to the last one's end; bins without capacity left out",
    ),
    MetricInfo(
        "path_throughput_bps",
        "bit/s",
        "run",
        "bottleneck record",
        "higher",
        "Throughput of the path",
        "8 * bytes of whole frames that left the bottlenecks / time in s from the first session's "
        "start to the last one's end",
    ),
    MetricInfo(
        "loss_rate_percent",
        "%",
        "run",
        "bottleneck record",
        "lower",
        "Loss rate",
        "100 * dropped / (sent + dropped) packets at the bottlenecks; random and timed loss of "
        "paths is not in it",
    ),
    MetricInfo(
        "rtt_inflation_percent",
        "%",
        "run",
        f"{_LIVI} (RTTi)",
        "lower",
        "RTT inflation",
        "100 * mean srtt over all ACKs / RTT of the idle path; 100: no inflation",
    ),
    MetricInfo(
        "queueing_delay_mean_s",
        "s",
        "run",
        "bottleneck record",
        "lower",
        "Mean queueing delay",
        "mean (departure - arrival at the bottleneck) in s, over all packets that left it",
    ),
    MetricInfo(
        "queueing_delay_p95_s",
        "s",
        "run",
        "bottleneck record; percentile by linear interpolation",
        "lower",
        "95th percentile of queueing delay",
        "95th percentile of (departure - arrival at the bottleneck) in s, over all packets that "
        "left it",
    ),
)


def utilisation_percent(bins: Columns, link: Link, start_s: float, end_s: float) -> float | None:
    """Mean over the whole 10 ms bins of [start, end) of bits sent / bits the link could carry, in
    percent of frames as the shaper counts them. Bins in which the link stands still are left out.
    """
    first, last = int(np.ceil(start_s / BIN_S - 1e-9)), int(end_s / BIN_S + 1e-9)
    if last <= first:
        return None
    edges = np.arange(first, last + 1, dtype=np.float64) * BIN_S
    capacity = np.diff(link.bits_until(edges))
    index = bins["t_ns"].astype(np.int64) // round(BIN_S * 1e9) - first
    inside = (index >= 0) & (index < last - first)
    weights = bins["sent_bytes"][inside].astype(np.float64)
    sent = 8 * np.bincount(index[inside], weights=weights, minlength=last - first)
    open_ = capacity > 0
    return 100 * float(np.mean(sent[open_] / capacity[open_])) if open_.any() else None


def loss_rate_percent(bins: Columns) -> float | None:
    """100 * dropped / (sent + dropped) packets at the bottleneck; the path's own random or timed
    loss is not in it. None if no packet came.
    """
    dropped = int(bins["dropped"].astype(np.int64).sum())
    total = dropped + int(bins["sent_packets"].astype(np.int64).sum())
    return 100 * dropped / total if total else None


def rtt_inflation_percent(acks: Columns, base_s: float) -> float | None:
    """100 * mean srtt over all ACKs / base RTT of the path: 100 means no inflation."""
    srtt = acks["srtt_us"][acks["srtt_us"].astype(np.int64) > 0]
    return 100 * float(srtt.mean()) / 1e6 / base_s if len(srtt) and base_s > 0 else None


def queueing_delay_s(packets: Columns) -> tuple[float, float] | None:
    """(mean, 95th percentile) of departure - arrival of the packets sent, in s.

    It includes a packet's wait for its turn on the shaped link, not its own transmission.
    """
    sent = packets["fate"] == SENT
    delay = (packets["departure_ns"][sent] - packets["arrival_ns"][sent]).astype(np.float64) / 1e9
    return (float(delay.mean()), float(np.percentile(delay, 95))) if len(delay) else None


def rtt_inflation_of_seconds(rows: Columns, base_s: float) -> float | None:
    """The same, from sums by the second."""
    acks = int(rows["acks"].sum(dtype=np.int64))
    total_us = int(rows["srtt_sum_us"].sum(dtype=np.int64))
    return 100 * (total_us / acks) / 1e6 / base_s if acks and base_s > 0 else None


def mean_delay_of_seconds_s(rows: Columns) -> float | None:
    """The mean of `queueing_delay_s`, from sums by the second."""
    sent = int(rows["sent_packets"].sum(dtype=np.int64))
    return int(rows["delay_sum_ns"].sum(dtype=np.int64)) / sent / 1e9 if sent else None


def throughput_bps(bins: Columns, start_s: float, end_s: float) -> float | None:
    """Bits of whole frames that left the bottleneck in [start, end), over that time."""
    t_s = bins["t_ns"].astype(np.float64) / 1e9
    bits = 8 * bins["sent_bytes"][(t_s >= start_s) & (t_s < end_s)].astype(np.float64)
    return float(bits.sum()) / (end_s - start_s) if end_s > start_s else None


def span_s(context: Context) -> tuple[float, float]:
    """From the first session's start to the last one's end."""
    sessions = context.sessions
    start = min((session.start_s for session in sessions), default=0.0)
    return start, max((session.end_s for session in sessions), default=0.0)


def measure(context: Context) -> dict[str, Value]:
    """Utilisation and throughput are over the time from the first session's start to the last
    one's end.
    """
    data = context.data
    out: dict[str, Value] = dict.fromkeys(info.name for info in INFO)
    start, end = span_s(context)
    if data.queue_10ms is not None:
        out["loss_rate_percent"] = loss_rate_percent(data.queue_10ms)
        if context.link is not None:
            out["link_utilisation_percent"] = utilisation_percent(
                data.queue_10ms, context.link, start, end
            )
        out["path_throughput_bps"] = throughput_bps(data.queue_10ms, start, end)
    bases = {idle_rtt_s(path) for path in paths_of(data.experiment)}
    if len(bases) == 1:  # otherwise it is each path's own: weir.metrics.paths
        (base_s,) = bases
        if data.tcp is not None:
            out["rtt_inflation_percent"] = rtt_inflation_percent(data.tcp, base_s)
        elif data.tcp_seconds is not None:
            out["rtt_inflation_percent"] = rtt_inflation_of_seconds(data.tcp_seconds, base_s)
    delay = None if data.queue is None else queueing_delay_s(data.queue)
    if delay is not None:
        out["queueing_delay_mean_s"], out["queueing_delay_p95_s"] = delay
    elif data.queue_seconds is not None:
        out["queueing_delay_mean_s"] = mean_delay_of_seconds_s(data.queue_seconds)
    return out
