"""The cell of a campaign's first combination, resolved: what a drawing of it shows."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from weir import resolved, resolved_network
from weir.optimum import optimal_levels
from weir.paths import idle_rtt_s, paths_of
from weir.spec import traces
from weir.spec.queues import DISCIPLINES
from weir.units import PACKET_BYTES

from weir_orchestrator.api.campaigns.cell_events import events_of
from weir_orchestrator.api.campaigns.cell_schemas import (
    CellClients,
    CellFilm,
    CellLink,
    CellOut,
    CellPath,
    CellQueue,
    CellServer,
    CellShaping,
    CellTraffic,
    CellUpstream,
)

__all__ = ["cell_of"]


def cell_of(levels: dict[str, Any], experiment: resolved.Experiment) -> CellOut:
    """What there is to draw of an experiment. Pure."""
    content = experiment["content"]
    sizes = content["sizes_bytes"] or []
    return CellOut(
        levels=levels,
        clock=experiment["clock"],
        duration_s=experiment["duration_s"],
        film=CellFilm(
            bitrates_bps=content["bitrates_bps"],
            segment_s=content["segment_s"],
            segments=content["segments"],
            variable=any(len(set(level)) > 1 for level in sizes),
            target_latency_s=content["live"]["target_latency_s"] if "live" in content else None,
        ),
        server=CellServer.model_validate(experiment["server"]),
        paths=[_path(path, experiment["duration_s"]) for path in paths_of(experiment)],
        shaping=CellShaping.model_validate(experiment["gateway"]["shaping"]),
        clients=_clients(experiment),
        traffic=_traffic(experiment),
        events=events_of(experiment),
    )


def _path(path: resolved_network.NamedPath, duration_s: float) -> CellPath:
    rtt, loss = path["path"]["rtt"], path["path"]["loss"]
    idle_s = idle_rtt_s(path)
    upstream = path.get("upstream")
    before = _link(upstream["link"], idle_s, duration_s) if upstream else None
    return CellPath(
        name=path["name"] or None,
        rtt_s=rtt["mean_s"],
        jitter_s=rtt["stddev_s"],
        distribution=rtt["distribution"],
        delayed=rtt["on"],
        downlink_loss=loss["downlink"],
        uplink_loss=loss["uplink"],
        upstream=CellUpstream(link=before, rtt_s=upstream["rtt_s"])
        if upstream and before
        else None,
        downlink=_link(path["downlink"], idle_s, duration_s),
        uplink=_link(path["uplink"], idle_s, duration_s),
    )


def _link(link: resolved_network.Link, rtt_s: float, duration_s: float) -> CellLink | None:
    steps, queue = link["rate_steps"], link["queue"]
    if not steps or queue is None:
        return None
    rate_bps = traces.mean_rate(steps, link["rate_loop_s"] or duration_s)
    bdp_packets = rate_bps * rtt_s / 8 / PACKET_BYTES
    limit = queue["limit_packets"]
    model = DISCIPLINES[queue["discipline"]]
    return CellLink(
        rate_bps=rate_bps,
        lowest_bps=min(rate for _, rate in steps),
        highest_bps=max(rate for _, rate in steps),
        steps=len(steps),
        bdp_packets=bdp_packets,
        queue=CellQueue(
            discipline=queue["discipline"],
            per_flow=model.per_flow,
            drops_early=model.drops_early,
            limit_packets=limit,
            limit_bdp=limit / bdp_packets if bdp_packets else None,
            full_s=limit * PACKET_BYTES * 8 / rate_bps if rate_bps else None,
            options=dict(queue["options"]),
        ),
    )


def _clients(experiment: resolved.Experiment) -> list[CellClients]:
    clients = experiment["clients"]
    levels = _optimal_levels(experiment)
    found = []
    numbered = enumerate(clients)
    for client, equal in groupby(numbered, key=lambda one: one[1]):
        numbers = [number for number, _ in equal]
        found.append(
            CellClients(
                player=client["player"],
                options=client["options"],
                count=len(numbers),
                buffer_s=client["buffer_s"],
                start_s=client["start_s"],
                stop_s=client["stop_s"],
                transport=client.get("transport", "tcp"),
                paths=client.get("paths", []),
                backup=client.get("backup", []),
                optimal_levels=[levels[number] for number in numbers if number in levels],
            )
        )
    return found


def _optimal_levels(experiment: resolved.Experiment) -> dict[int, int]:
    """Client, from 0 -> level; empty where that is not defined."""
    clients, paths = experiment["clients"], paths_of(experiment)
    steps = paths[0]["downlink"]["rate_steps"]
    if len(paths) > 1 or len(steps) != 1:
        return {}
    ladder = experiment["content"]["bitrates_bps"]
    arrival = sorted(range(len(clients)), key=lambda number: clients[number]["start_s"])
    best = optimal_levels(steps[0][1], ladder, len(clients))
    return dict(zip(arrival, best, strict=True))


def _traffic(experiment: resolved.Experiment) -> list[CellTraffic]:
    return [
        CellTraffic(
            kind=flow["kind"],
            direction=flow["direction"],
            path=flow.get("path"),
            count=len(list(equal)),
            rate_bps=flow.get("rate_bps"),
            start_s=flow["start_s"],
            stop_s=flow["stop_s"],
        )
        for flow, equal in groupby(experiment.get("traffic", []))
    ]
