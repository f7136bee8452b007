"""What other traffic takes beside the players, and how fairly all share."""

from __future__ import annotations

import numpy as np

from weir.metrics.context import Context
from weir.metrics.fairness import jain
from weir.metrics.info import MetricInfo, Value
from weir.metrics.network import span_s
from weir.metrics.traffic_record import (
    clients_known,
    downlink,
    number_of,
    rate_bps,
    seen,
    sent_bytes,
    told_apart,
)
from weir.resolved import Traffic

INFO = (
    MetricInfo(
        "traffic_throughput_bps",
        "bit/s",
        "run",
        "bottleneck record: whole frames of other traffic, downlink",
        "higher",
        "Throughput of other traffic",
        "8 * bytes of other traffic's downlink frames that left a bottleneck / time in s from the "
        "first session's start to the last one's end",
    ),
    MetricInfo(
        "traffic_share_percent",
        "%",
        "run",
        "bottleneck record: of all bytes that left the bottlenecks",
        None,
        "Share of other traffic",
        "100 * bytes of other traffic's downlink frames / bytes of all frames that left the "
        "bottlenecks, from the first session's start to the last one's end",
    ),
    MetricInfo(
        "jain_with_traffic",
        "",
        "run",
        "Jain, Chiu, Hawe 1984, of the wire throughput of clients and other flows",
        "higher",
        "Jain's index, other traffic included",
        "(sum x)^2 / (n * sum x^2), x: bit/s on the wire of each client and each downlink flow of "
        "other traffic, n in all, over the time that it was there",
    ),
    MetricInfo(
        "settled_traffic_share_percent",
        "%",
        "run",
        "bottleneck record: of all bytes in the last third",
        None,
        "Share of other traffic once settled",
        "100 * bytes of other traffic's downlink flows there to the end / bytes of all frames "
        "that left the bottlenecks, in the last third of the sessions' time",
    ),
    MetricInfo(
        "settled_jain_with_traffic",
        "",
        "run",
        "Jain, Chiu, Hawe 1984, of the wire throughput in the last third",
        "higher",
        "Jain's index once settled, other traffic included",
        "(sum x)^2 / (n * sum x^2), x: bytes on the wire of each client and downlink flow there "
        "to the end, n in all, in the last third of the sessions' time",
    ),
)


def measure(context: Context) -> dict[str, Value]:
    """Over the time from the first session's start to the last one's end.

    jain_with_traffic: of each client's bytes over all of its connections, and of each flow's in the
    downlink; as rates, each over the time that it was there. All None without other traffic, or
    where the record that tells flows apart was off; of one by the second, whole seconds count.
    settled_: the same in the last third of this time, of who is there until its end.
    """
    out: dict[str, Value] = {info.name: None for info in INFO}
    flows, start_s, end_s = downlink(context), *span_s(context)
    if not flows or not told_apart(context) or end_s <= start_s:
        return out
    total = sum(sent_bytes(context, flow, start_s, end_s) for flow in seen(context))
    taken = sum(sent_bytes(context, number_of(context, flow), start_s, end_s) for flow in flows)
    out["traffic_throughput_bps"] = 8 * taken / (end_s - start_s)
    out["traffic_share_percent"] = 100 * taken / total if total else None
    rates = [rate_bps(context, number_of(context, flow), one) for flow, one in flows.items()]
    for session in context.sessions:
        own = [flow["flow"] for flow in context.flows_of(session)]
        sent = sum(sent_bytes(context, flow, session.start_s, session.end_s) for flow in own)
        length_s = session.end_s - session.start_s
        rates.append(8 * sent / length_s if length_s else 0.0)
    if clients_known(context):
        out["jain_with_traffic"] = jain(np.array(rates))
    out.update(_settled(context, flows, end_s - (end_s - start_s) / 3, end_s))
    return out


def _settled(
    context: Context, flows: dict[int, Traffic], start_s: float, end_s: float
) -> dict[str, Value]:
    def sent(records: list[int]) -> int:
        return sum(sent_bytes(context, one, start_s, end_s) for one in records)

    staying = [
        [flow["flow"] for flow in context.flows_of(session)]
        for session in context.sessions
        if session.start_s <= start_s and session.end_s >= end_s
    ]
    others = [
        number_of(context, number)
        for number, flow in flows.items()
        if flow["start_s"] <= start_s and flow["stop_s"] >= end_s
    ]
    total = sent(seen(context))
    each = np.array([float(sent(one)) for one in [*staying, *([one] for one in others)]])
    return {
        "settled_traffic_share_percent": 100 * sent(others) / total if total else None,
        "settled_jain_with_traffic": jain(each) if clients_known(context) else None,
    }
