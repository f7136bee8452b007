"""What other traffic takes beside the players, and how fairly all share."""

from __future__ import annotations

import numpy as np

from weir.metrics.context import Context
from weir.metrics.fairness import jain
from weir.metrics.info import MetricInfo, Value
from weir.metrics.marks import marked_percent
from weir.metrics.network import DROPPED, SENT, queueing_delay_s, span_s
from weir.resolved import Traffic

_RECORD = "bottleneck record"
_ASKER = "from the request to the response's last byte, at the end that asks"
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
EACH = (
    MetricInfo(
        "throughput_bps",
        "bit/s",
        "traffic",
        _RECORD,
        "higher",
        "Throughput",
        "8 * bytes of the flow's frames that left the bottleneck between its start and stop / "
        "that time in s",
    ),
    MetricInfo(
        "share_percent",
        "%",
        "traffic",
        _RECORD,
        "higher",
        "Share of its path",
        "100 * bytes of the flow's frames / bytes of all frames that left its path's bottleneck "
        "between its start and stop",
    ),
    MetricInfo(
        "loss_rate_percent",
        "%",
        "traffic",
        _RECORD,
        "lower",
        "Loss rate",
        "100 * dropped / packets of the flow that came to the bottleneck",
    ),
    MetricInfo(
        "queueing_delay_mean_s",
        "s",
        "traffic",
        _RECORD,
        "lower",
        "Mean queueing delay",
        "mean (departure - arrival at the bottleneck) in s, over the flow's packets that left it",
    ),
    MetricInfo(
        "ce_marked_percent",
        "%",
        "traffic",
        _RECORD,
        None,
        "Packets marked CE",
        "100 * the flow's packets that the bottleneck marked CE / those that left it",
    ),
    MetricInfo(
        "response_count",
        "",
        "traffic",
        _ASKER,
        "higher",
        "Responses",
        "number of responses that came whole",
    ),
    MetricInfo(
        "response_time_mean_s",
        "s",
        "traffic",
        _ASKER,
        "lower",
        "Mean response time",
        "mean (last byte of the response - request) in s, over the responses that came whole",
    ),
    MetricInfo(
        "response_time_p95_s",
        "s",
        "traffic",
        _ASKER,
        "lower",
        "95th percentile of response time",
        "95th percentile of (last byte of the response - request) in s, over the responses that "
        "came whole",
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
    flows, start_s, end_s = _downlink(context), *span_s(context)
    if not flows or not _told_apart(context) or end_s <= start_s:
        return out
    total = sum(_sent_bytes(context, flow, start_s, end_s) for flow in _seen(context))
    taken = sum(_sent_bytes(context, _number(context, flow), start_s, end_s) for flow in flows)
    out["traffic_throughput_bps"] = 8 * taken / (end_s - start_s)
    out["traffic_share_percent"] = 100 * taken / total if total else None
    rates = [_rate_bps(context, _number(context, flow), one) for flow, one in flows.items()]
    for session in context.sessions:
        own = [flow["flow"] for flow in context.flows_of(session)]
        sent = sum(_sent_bytes(context, flow, session.start_s, session.end_s) for flow in own)
        length_s = session.end_s - session.start_s
        rates.append(8 * sent / length_s if length_s else 0.0)
    if _clients_known(context):
        out["jain_with_traffic"] = jain(np.array(rates))
    out.update(_settled(context, flows, end_s - (end_s - start_s) / 3, end_s))
    return out


def _settled(
    context: Context, flows: dict[int, Traffic], start_s: float, end_s: float
) -> dict[str, Value]:
    def sent(records: list[int]) -> int:
        return sum(_sent_bytes(context, one, start_s, end_s) for one in records)

    staying = [
        [flow["flow"] for flow in context.flows_of(session)]
        for session in context.sessions
        if session.start_s <= start_s and session.end_s >= end_s
    ]
    others = [
        _number(context, number)
        for number, flow in flows.items()
        if flow["start_s"] <= start_s and flow["stop_s"] >= end_s
    ]
    total = sent(_seen(context))
    each = np.array([float(sent(one)) for one in [*staying, *([one] for one in others)]])
    return {
        "settled_traffic_share_percent": 100 * sent(others) / total if total else None,
        "settled_jain_with_traffic": jain(each) if _clients_known(context) else None,
    }


def each(context: Context) -> list[dict[str, str | Value]]:
    """Of each flow: its number as "traffic", its path where that has a name, and what EACH names.

    throughput_bps: bits of its frames that left the bottleneck between its start and its stop over
    that time. share_percent: of all that left this bottleneck then. loss_rate_percent: of its
    packets that came there. queueing_delay_mean_s, ce_marked_percent: of those that left. None for
    what goes up: the record is of the downlink. Those of responses are of request-response alone,
    in either direction: of the responses that came whole.
    """
    found: list[dict[str, str | Value]] = []
    down = _downlink(context)
    for number, flow in enumerate(context.data.experiment.get("traffic", []), 1):
        one: dict[str, str | Value] = {"traffic": number}
        if "path" in flow:
            one["path"] = flow["path"]
        one.update({info.name: None for info in EACH})
        if number in down and _told_apart(context):
            one.update(_flow(context, number, flow))
        if flow["kind"] == "request-response":
            one.update(_responses(context, number))
        found.append(one)
    return found


def _flow(context: Context, number: int, flow: Traffic) -> dict[str, Value]:
    own, start_s, stop_s = _number(context, number), flow["start_s"], flow["stop_s"]
    path = flow.get("path")
    sharing = [one["flow"] for one in context.data.flows if one.get("path") == path]
    total = sum(_sent_bytes(context, one, start_s, stop_s) for one in sharing)
    out: dict[str, Value] = {"throughput_bps": _rate_bps(context, own, flow)}
    if total:
        out["share_percent"] = 100 * _sent_bytes(context, own, start_s, stop_s) / total
    came, dropped = _came(context, own)
    if came:
        out["loss_rate_percent"] = 100 * dropped / came
    if (packets := (context.packets or {}).get(own)) is not None:
        delay = queueing_delay_s(packets)
        out["queueing_delay_mean_s"] = delay[0] if delay else None
        out["ce_marked_percent"] = marked_percent(packets)
    return out


def _came(context: Context, flow: int) -> tuple[int, int]:
    """Its packets that came to the bottleneck, and those dropped there."""
    if (packets := (context.packets or {}).get(flow)) is not None:
        return len(packets["fate"]), int((packets["fate"] == DROPPED).sum())
    if (seconds := context.data.queue_seconds) is not None:
        own = seconds["flow"] == flow
        dropped = int(seconds["dropped"][own].sum(dtype=np.int64))
        return int(seconds["sent_packets"][own].sum(dtype=np.int64)) + dropped, dropped
    return 0, 0


def _told_apart(context: Context) -> bool:
    """Whether flows are, in what was recorded of the bottleneck."""
    return context.packets is not None or context.data.queue_seconds is not None


def _clients_known(context: Context) -> bool:
    """Whether anything tells which connections are a client's: the record of TCP alone does."""
    return context.data.tcp is not None or context.data.tcp_seconds is not None


def _seen(context: Context) -> list[int]:
    """Flows that had packets there."""
    if context.packets is not None:
        return list(context.packets)
    seconds = context.data.queue_seconds
    return [] if seconds is None else np.unique(seconds["flow"]).tolist()


def _responses(context: Context, number: int) -> dict[str, Value]:
    took_s = [
        event["t_s"] - event["requested_s"]
        for event in context.data.events
        if event["event"] == "response" and event["traffic"] == number
    ]
    out: dict[str, Value] = {"response_count": len(took_s)}
    if took_s:
        out["response_time_mean_s"] = float(np.mean(took_s))
        out["response_time_p95_s"] = float(np.percentile(took_s, 95))
    return out


def _downlink(context: Context) -> dict[int, Traffic]:
    """By their number."""
    flows = enumerate(context.data.experiment.get("traffic", []), 1)
    return {number: flow for number, flow in flows if flow["direction"] == "downlink"}


def _number(context: Context, traffic: int) -> int:
    """Of the flow in the record."""
    (found,) = [each["flow"] for each in context.data.flows if each.get("traffic") == traffic]
    return found


def _rate_bps(context: Context, flow: int, asked: Traffic) -> float:
    start_s, stop_s = asked["start_s"], asked["stop_s"]
    return 8 * _sent_bytes(context, flow, start_s, stop_s) / (stop_s - start_s)


def _sent_bytes(context: Context, flow: int, start_s: float, end_s: float) -> int:
    if (seconds := context.data.queue_seconds) is not None:
        at_s = seconds["t_ns"] / 1e9
        own = (seconds["flow"] == flow) & (at_s >= start_s) & (at_s < end_s)
        return int(seconds["sent_bytes"][own].sum(dtype=np.int64))
    packets = (context.packets or {}).get(flow)
    if packets is None:
        return 0
    left_ns = packets["departure_ns"]
    sent = (packets["fate"] == SENT) & (left_ns >= start_s * 1e9) & (left_ns < end_s * 1e9)
    return int(packets["size"][sent].sum(dtype=np.int64))
