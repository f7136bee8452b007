"""What the record of the bottlenecks says of flows: packets, or what left by the second."""

from __future__ import annotations

import numpy as np

from weir.metrics.context import Context
from weir.metrics.network import SENT
from weir.resolved import Traffic

__all__ = [
    "clients_known",
    "downlink",
    "number_of",
    "rate_bps",
    "seen",
    "sent_bytes",
    "told_apart",
]


def told_apart(context: Context) -> bool:
    """Whether flows are, in what was recorded of the bottleneck."""
    return context.packets is not None or context.data.queue_seconds is not None


def clients_known(context: Context) -> bool:
    """Whether anything tells which connections are a client's: the record of TCP alone does."""
    return context.data.tcp is not None or context.data.tcp_seconds is not None


def seen(context: Context) -> list[int]:
    """Flows that had packets there."""
    if context.packets is not None:
        return list(context.packets)
    seconds = context.data.queue_seconds
    return [] if seconds is None else np.unique(seconds["flow"]).tolist()


def downlink(context: Context) -> dict[int, Traffic]:
    """The flows that go down, by their number in the experiment, from 1 on."""
    flows = enumerate(context.data.experiment.get("traffic", []), 1)
    return {number: flow for number, flow in flows if flow["direction"] == "downlink"}


def number_of(context: Context, traffic: int) -> int:
    """The record's number of the flow that the experiment's traffic has with this number."""
    (found,) = [each["flow"] for each in context.data.flows if each.get("traffic") == traffic]
    return found


def rate_bps(context: Context, flow: int, asked: Traffic) -> float:
    """Bit/s on the wire of a flow of the record, over the time that it was asked for."""
    start_s, stop_s = asked["start_s"], asked["stop_s"]
    return 8 * sent_bytes(context, flow, start_s, stop_s) / (stop_s - start_s)


def sent_bytes(context: Context, flow: int, start_s: float, end_s: float) -> int:
    """Bytes of whole frames of a flow of the record that left its bottleneck in [start, end)."""
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
