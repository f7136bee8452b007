"""The cell of a campaign's first combination, resolved: what a drawing of it shows."""

from __future__ import annotations

from itertools import groupby
from typing import Any, Literal

from pydantic import BaseModel, Field
from weir import resolved
from weir.optimum import optimal_levels
from weir.paths import idle_rtt_s, paths_of
from weir.spec import traces
from weir.spec.queues import DISCIPLINES
from weir.units import PACKET_BYTES

__all__ = ["CellOut", "cell_of"]


class CellFilm(BaseModel):
    """What is streamed."""

    bitrates_bps: list[float] = Field(description="Of the levels, rising.")
    segment_s: float = Field(description="Of film in a segment.")
    segments: int | None = Field(description="Null where the film is endless.")
    variable: bool = Field(description="Segments of a level differ in size.")


class CellServer(BaseModel):
    """The web server's host."""

    http: str = Field(description="The web server.")
    congestion_control: str = Field(description="Of its TCP.")


class CellQueue(BaseModel):
    """The queue in front of a link."""

    discipline: str = Field(description="Which queue discipline.")
    per_flow: bool = Field(description="A queue for each flow.")
    drops_early: bool = Field(description="Packets are dropped (or marked) before it is full.")
    limit_packets: int = Field(description="Packets that it holds.")
    limit_bdp: float | None = Field(
        examples=[1.0],
        description="The limit over the link's bandwidth-delay product, both in packets of 1500 "
        "bytes; null where the path has no RTT.",
    )
    full_s: float | None = Field(description="What a full queue takes to send at the mean rate.")
    options: dict[str, Any] = Field(
        examples=[{"target_s": 0.005, "ecn": False}], description="As resolved, in SI units."
    )


class CellLink(BaseModel):
    """One direction of a link."""

    rate_bps: float = Field(description="The mean over the run.")
    lowest_bps: float = Field(description="The lowest rate.")
    highest_bps: float = Field(description="The highest rate.")
    steps: int = Field(description="How many rates follow one another in a period.")
    bdp_packets: float = Field(
        description="rate_bps times the RTT, not rounded, in packets of 1500 bytes."
    )
    queue: CellQueue = Field(description="In front of the link.")


class CellUpstream(BaseModel):
    """A second link on the way to the clients, before the gateway's own."""

    link: CellLink = Field(description="From the server's side to the gateway.")
    rtt_s: float = Field(description="What it adds to the round-trip time.")


class CellPath(BaseModel):
    """The path between server and gateway."""

    rtt_s: float = Field(description="Mean round-trip time.")
    jitter_s: float = Field(description="Standard deviation of the round-trip time.")
    distribution: str = Field(description="Of the round-trip time.")
    delayed: str = Field(description="The direction that has the delay.")
    downlink_loss: float = Field(description="Ratio of packets to the clients.")
    uplink_loss: float = Field(description="Ratio of packets to the server.")


class CellShaping(BaseModel):
    """What the gateway does to single clients."""

    method: str = Field(description="How the gateway shapes clients.")
    headroom: float = Field(
        description="The shaping rate over the bitrate of a client's optimal level, less 1."
    )


class CellClients(BaseModel):
    """Equal players."""

    player: str = Field(description="Which player.")
    options: dict[str, Any] = Field(description="As resolved, in SI units.")
    count: int = Field(description="Equal ones.")
    buffer_s: float = Field(description="Of film that a player holds.")
    start_s: float = Field(description="When they start.")
    stop_s: float | None = Field(description="Null where they play to the end.")
    optimal_levels: list[int] = Field(
        description="Of each, while all clients play at the link's rate; empty where the "
        "rate varies. The gateway gives higher levels to those that came earlier."
    )


class CellEvent(BaseModel):
    """Something that is so for a while; null: it does not change that."""

    at_s: float = Field(description="When it begins.")
    for_s: float = Field(description="How long it lasts.")
    loss: float | None = Field(default=None, description="Ratio of packets.")
    rtt_s: float | None = Field(default=None, description="Another round-trip time.")
    down: Literal["carrier"] | None = Field(
        default=None, description="The clients' interfaces have no carrier."
    )
    on: str | None = Field(default=None, description="In which direction; null: in both.")
    path: str | None = Field(default=None, description="Its name, where paths are named.")


class CellOut(BaseModel):
    """A cell in SI units: bit/s, seconds, packets, ratios."""

    levels: dict[str, Any] = Field(
        examples=[{"server.congestion_control": "cubic"}],
        description="Which combination of the campaign's factors it is.",
    )
    clock: str = Field(description="virtual or real.")
    duration_s: float = Field(description="Of the experiment.")
    film: CellFilm = Field(description="What the clients stream.")
    server: CellServer = Field(description="Where it comes from.")
    path: CellPath = Field(description="Between server and gateway.")
    upstream: CellUpstream | None = Field(
        description="Between the path and the gateway; null where there is none."
    )
    downlink: CellLink | None = Field(
        description="From the gateway to the clients; null where it is not shaped."
    )
    uplink: CellLink | None = Field(
        description="From the clients to the gateway; null where it is not shaped."
    )
    shaping: CellShaping = Field(description="By client, at the gateway.")
    clients: list[CellClients] = Field(description="In the order of the experiment.")
    events: list[CellEvent] = Field(description="In order of time.")


def cell_of(levels: dict[str, Any], experiment: resolved.Experiment) -> CellOut:
    """What there is to draw of an experiment. Pure."""
    gateway, content = experiment["gateway"], experiment["content"]
    rtt, loss = gateway["path"]["rtt"], gateway["path"]["loss"]
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
        ),
        server=CellServer.model_validate(experiment["server"]),
        path=CellPath(
            rtt_s=rtt["mean_s"],
            jitter_s=rtt["stddev_s"],
            distribution=rtt["distribution"],
            delayed=rtt["on"],
            downlink_loss=loss["downlink"],
            uplink_loss=loss["uplink"],
        ),
        upstream=_upstream(experiment),
        downlink=_link(gateway["downlink"], experiment),
        uplink=_link(gateway["uplink"], experiment),
        shaping=CellShaping.model_validate(gateway["shaping"]),
        clients=_clients(experiment),
        events=[CellEvent.model_validate(event) for event in experiment["events"]],
    )


def _upstream(experiment: resolved.Experiment) -> CellUpstream | None:
    upstream = experiment["gateway"].get("upstream")
    link = _link(upstream["link"], experiment) if upstream else None
    return CellUpstream(link=link, rtt_s=upstream["rtt_s"]) if upstream and link else None


def _link(link: resolved.Link, experiment: resolved.Experiment) -> CellLink | None:
    steps, queue = link["rate_steps"], link["queue"]
    if not steps or queue is None:
        return None
    period_s = link["rate_loop_s"] or experiment["duration_s"]
    rate_bps = traces.mean_rate(steps, period_s)
    rtt_s = idle_rtt_s(paths_of(experiment)[0])
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
    steps = experiment["gateway"]["downlink"]["rate_steps"]
    levels: dict[int, int] = {}
    if len(steps) == 1:
        ladder = experiment["content"]["bitrates_bps"]
        arrival = sorted(range(len(clients)), key=lambda number: clients[number]["start_s"])
        best = optimal_levels(steps[0][1], ladder, len(clients))
        levels = dict(zip(arrival, best, strict=True))
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
                optimal_levels=[levels[number] for number in numbers if number in levels],
            )
        )
    return found
