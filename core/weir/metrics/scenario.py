"""What came of a scenario of sessions as a whole, and what it asked for."""

from __future__ import annotations

import numpy as np

from weir import edf
from weir.metrics import deadlines, transfers
from weir.metrics.context import Context
from weir.metrics.info import MetricInfo, Value
from weir.resolved import Experiment

_CLAEYS = "Claeys et al. 2016"
INFO = (
    MetricInfo(
        "late_streams",
        "",
        "run",
        _CLAEYS,
        "lower",
        "Streams with a late byte",
        "number of clients with deadlines of which late_segments > 0",
    ),
    MetricInfo(
        "edf_rate_bps",
        "bit/s",
        "run",
        f"{_CLAEYS} (B_edf): weir.edf, of the scenario alone",
        None,
        "Least rate of earliest deadline first",
        "max over t1 < t2 of (bits of sessions' films released from t1 on and due by t2) / (t2 - "
        "t1)",
    ),
    MetricInfo(
        "downloads_bps",
        "bit/s",
        "run",
        f"{_CLAEYS} (F)",
        "higher",
        "Sum of the downloads' rates",
        "sum of transfer_bps over the clients without deadlines whose films came whole",
    ),
    MetricInfo(
        "throughput_ratio",
        "",
        "run",
        f"{_CLAEYS}; both without the first 20 s",
        None,
        "Throughput of client 1 over the mean of the others",
        "settled_throughput_bps of client 1 / mean of the other clients'",
    ),
    MetricInfo(
        "settled_total_bps",
        "bit/s",
        "run",
        f"{_CLAEYS}; while all are sent and their first 20 s are over",
        "higher",
        "Throughput of all clients once settled",
        "8 * body bytes of all clients that came while all are settled / that time in s; "
        f"settled: from {transfers.SETTLED_S:g} s after the start until the film's last byte or "
        "the end",
    ),
)


def measure(context: Context) -> dict[str, Value]:
    """late_streams: of those with deadlines. downloads_bps: of those that came whole."""
    out: dict[str, Value] = dict.fromkeys(info.name for info in INFO)
    experiment = context.data.experiment
    late = [deadlines.measure(session, context)["late_segments"] for session in context.sessions]
    if any(each is not None for each in late):
        out["late_streams"] = sum(bool(each) for each in late)
    out["edf_rate_bps"] = edf_rate_bps(experiment)
    sent = [transfers.measure(session, context) for session in context.sessions]
    rates_bps = [
        each["transfer_bps"]
        for client, each in zip(experiment["clients"], sent, strict=True)
        if "deadlines" not in client
    ]
    if whole := [rate for rate in rates_bps if rate is not None]:
        out["downloads_bps"] = sum(whole)
    settled = [rate for each in sent if (rate := each["settled_throughput_bps"]) is not None]
    if len(settled) == len(sent) > 1 and any(settled[1:]):
        out["throughput_ratio"] = settled[0] / float(np.mean(settled[1:]))
    out["settled_total_bps"] = _settled_total_bps(context)
    return out


def _settled_total_bps(context: Context) -> float | None:
    """Of the time in which all are settled; None where there is none."""
    spans = [transfers.settled_s(session) for session in context.sessions]
    from_s, until_s = max(begin for begin, _ in spans), min(end for _, end in spans)
    if until_s <= from_s:
        return None
    return sum(transfers.throughput_bps(one, from_s, until_s) for one in context.sessions)


def edf_rate_bps(experiment: Experiment) -> float | None:
    """Of all sessions with deadlines; None without any."""
    demands = []
    for client in experiment["clients"]:
        told = client.get("deadlines")
        if told is None or "film" not in client:
            continue
        begin_s = client["start_s"] + told["after_s"]
        if (released_s := client.get("released_s")) is None:
            demand = edf.vod(told["rate_bps"], told["length_s"], begin_s, told["after_s"])
        else:
            delay_s = begin_s - released_s
            demand = edf.live(told["rate_bps"], told["length_s"], begin_s, delay_s)
        demands.append(demand)
    return edf.least_rate(demands).rate_bps if demands else None
