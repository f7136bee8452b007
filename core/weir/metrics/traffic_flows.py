"""What each flow of other traffic had."""

from __future__ import annotations

import numpy as np

from weir.metrics.context import Context
from weir.metrics.info import MetricInfo, Value
from weir.metrics.marks import marked_percent
from weir.metrics.network import DROPPED, queueing_delay_s
from weir.metrics.traffic_record import downlink, number_of, rate_bps, sent_bytes, told_apart
from weir.resolved import Traffic

_RECORD = "bottleneck record"
_ASKER = "from the request to the response's last byte, at the end that asks"
INFO = (
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


def measure(context: Context) -> list[dict[str, str | Value]]:
    """Of each flow: its number as "traffic", its path where that has a name, and what INFO names.

    throughput_bps: bits of its frames that left the bottleneck between its start and its stop over
    that time. share_percent: of all that left this bottleneck then. loss_rate_percent: of its
    packets that came there. queueing_delay_mean_s, ce_marked_percent: of those that left. None for
    what goes up: the record is of the downlink. Those of responses are of request-response alone,
    in either direction: of the responses that came whole.
    """
    found: list[dict[str, str | Value]] = []
    down = downlink(context)
    for number, flow in enumerate(context.data.experiment.get("traffic", []), 1):
        one: dict[str, str | Value] = {"traffic": number}
        if "path" in flow:
            one["path"] = flow["path"]
        one.update({info.name: None for info in INFO})
        if number in down and told_apart(context):
            one.update(_flow(context, number, flow))
        if flow["kind"] == "request-response":
            one.update(_responses(context, number))
        found.append(one)
    return found


def _flow(context: Context, number: int, flow: Traffic) -> dict[str, Value]:
    own, start_s, stop_s = number_of(context, number), flow["start_s"], flow["stop_s"]
    path = flow.get("path")
    sharing = [one["flow"] for one in context.data.flows if one.get("path") == path]
    total = sum(sent_bytes(context, one, start_s, stop_s) for one in sharing)
    out: dict[str, Value] = {"throughput_bps": rate_bps(context, own, flow)}
    if total:
        out["share_percent"] = 100 * sent_bytes(context, own, start_s, stop_s) / total
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
