"""What of a client's connections left the bottlenecks, on which path."""

from __future__ import annotations

from weir.metrics.context import Context
from weir.metrics.info import MetricInfo, Value
from weir.metrics.network import SENT
from weir.metrics.session import Session

INFO = (
    MetricInfo(
        "wire_throughput_bps",
        "bit/s",
        "client",
        "bottleneck record: whole frames, retransmissions too",
        "higher",
        "Throughput on the wire",
        "8 * bytes of the client's frames that left a bottleneck / length of the session in s",
    ),
    MetricInfo(
        "other_paths_percent",
        "%",
        "client",
        "bottleneck record: share of wire throughput",
        None,
        "Carried by other paths than the first",
        "100 * bytes of the client's frames that left other paths' bottlenecks than its first "
        "path's / bytes of all of them",
    ),
)


def measure(session: Session, context: Context) -> dict[str, Value]:
    """wire_throughput_bps: bits of all frames of the client's flows that left a bottleneck over
    the session's length, on all paths. other_paths_percent: of these, by other paths than the one
    that opens its connections; None where paths are not named.
    """
    out: dict[str, Value] = {info.name: None for info in INFO}
    length_s = session.end_s - session.start_s
    if not length_s:
        return out
    on_path: dict[str, int] = {}
    for flow in context.flows_of(session):
        sent = _sent_bytes(context, flow["flow"])
        if sent is not None:
            name = flow.get("path", "")
            on_path[name] = on_path.get(name, 0) + sent
    if not on_path:
        return out  # the record that tells flows apart was off
    total = sum(on_path.values())
    out["wire_throughput_bps"] = 8 * total / length_s
    client = context.data.experiment["clients"][session.client - 1]
    if "paths" in client and total:
        first = on_path.get(client["paths"][0], 0)
        out["other_paths_percent"] = 100 * (total - first) / total
    return out


def _sent_bytes(context: Context, flow: int) -> int | None:
    """None where the record of it was off or has no packet of this flow."""
    if context.packets is not None:
        packets = context.packets.get(flow)
        if packets is None:
            return None
        return int(packets["size"][packets["fate"] == SENT].sum(dtype="int64"))
    if (seconds := context.data.queue_seconds) is None:
        return None
    mine = seconds["flow"] == flow
    return int(seconds["sent_bytes"][mine].sum(dtype="int64")) if mine.any() else None
