"""A cell, as a drawing of it shows it."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field
from weir.resolved_network import Direction

__all__ = [
    "CellClients",
    "CellEvent",
    "CellFilm",
    "CellLink",
    "CellOut",
    "CellPath",
    "CellQueue",
    "CellServer",
    "CellShaping",
    "CellTraffic",
    "CellUpstream",
]


class CellFilm(BaseModel):
    """What is streamed."""

    bitrates_bps: list[float] = Field(description="Of the levels, rising.")
    segment_s: float = Field(description="Of film in a segment.")
    segments: int | None = Field(description="Null where the film is endless.")
    variable: bool = Field(description="Segments of a level differ in size.")
    target_latency_s: float | None = Field(
        description="From a picture's making to its playing, as players of a live film are told; "
        "null where the film is there from the start."
    )


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
    """One way from the server to the clients: the path behind the gateway, and the links there."""

    name: str | None = Field(examples=["wifi"], description="Null where paths are not named.")
    rtt_s: float = Field(description="Mean round-trip time.")
    jitter_s: float = Field(description="Standard deviation of the round-trip time.")
    distribution: str = Field(description="Of the round-trip time.")
    delayed: str = Field(description="The direction that has the delay.")
    downlink_loss: float = Field(description="Ratio of packets to the clients.")
    uplink_loss: float = Field(description="Ratio of packets to the server.")
    upstream: CellUpstream | None = Field(
        description="Between the path and the gateway; null where there is none."
    )
    downlink: CellLink | None = Field(
        description="From the gateway to the clients; null where it is not shaped."
    )
    uplink: CellLink | None = Field(
        description="From the clients to the gateway; null where it is not shaped."
    )


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
    transport: Literal["tcp", "mptcp"] = Field(description="What they speak to the server.")
    paths: list[str] = Field(
        examples=[["wifi", "lte"]],
        description="A name for each of their addresses, the first opens the connection; empty "
        "where paths are not named.",
    )
    backup: list[str] = Field(description="Those of them that carry data while no other can.")
    optimal_levels: list[int] = Field(
        description="Of each, while all clients play at the link's rate; empty where the rate "
        "varies or there are several paths. The gateway gives higher levels to those that came "
        "earlier."
    )


class CellTraffic(BaseModel):
    """Equal flows that share a path with the clients."""

    kind: Literal["tcp", "udp", "request-response"] = Field(description="What sends.")
    direction: Direction = Field(description="Of its data.")
    path: str | None = Field(description="Its name; null where paths are not named.")
    count: int = Field(description="Equal ones.")
    rate_bps: float | None = Field(description="While it sends; null where TCP finds its rate.")
    start_s: float = Field(description="When they start.")
    stop_s: float = Field(description="When they end.")


class CellEvent(BaseModel):
    """Something that is so for a while; null: it does not change that."""

    at_s: float = Field(description="When it begins.")
    for_s: float = Field(description="How long it lasts.")
    loss: float | None = Field(default=None, description="Ratio of packets.")
    rtt_s: float | None = Field(default=None, description="Another mean round-trip time.")
    rate_bps: float | None = Field(default=None, description="Another rate of the link.")
    down: Literal["silent", "carrier"] | None = Field(
        default=None,
        description="Nothing passes; carrier: the clients' interfaces lose theirs, too.",
    )
    on: Direction | None = Field(default=None, description="In which direction; null: in both.")
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
    paths: list[CellPath] = Field(
        description="Between server and clients, as written; one where none is named."
    )
    shaping: CellShaping = Field(description="By client, at the gateway.")
    clients: list[CellClients] = Field(description="In the order of the experiment.")
    traffic: list[CellTraffic] = Field(description="Beside the clients', likewise.")
    events: list[CellEvent] = Field(description="In order of time.")
