"""The cell of a campaign's first combination, resolved: what a drawing of it shows."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from pydantic import BaseModel, Field
from weir import resolved
from weir.optimum import optimal_levels
from weir.spec import traces
from weir.units import PACKET_BYTES

__all__ = ["CellOut", "cell_of"]


class CellFilm(BaseModel):
    """segments: null where the film is endless. variable: segments of a level differ in size."""

    bitrates_bps: list[float]
    segment_s: float
    segments: int | None
    variable: bool


class CellServer(BaseModel):
    """The web server's host."""

    http: str
    congestion_control: str


class CellQueue(BaseModel):
    """limit_bdp, null where the path has no RTT: the limit over the link's bandwidth-delay
    product, both in packets of 1500 bytes. full_s: what a full queue takes to send at the mean
    rate. options: as resolved, in SI units.
    """

    discipline: str
    limit_packets: int
    limit_bdp: float | None = Field(examples=[1.0])
    full_s: float | None
    options: dict[str, Any] = Field(examples=[{"target_s": 0.005, "ecn": False}])


class CellLink(BaseModel):
    """rate_bps: the mean over the run; steps: how many rates follow one another in a period of
    it. bdp_packets: rate_bps times the RTT, not rounded, in packets of 1500 bytes.
    """

    rate_bps: float
    lowest_bps: float
    highest_bps: float
    steps: int
    bdp_packets: float
    queue: CellQueue


class CellPath(BaseModel):
    """Between server and gateway. delayed: the direction that has the delay. Losses are ratios."""

    rtt_s: float
    jitter_s: float
    distribution: str
    delayed: str
    downlink_loss: float
    uplink_loss: float


class CellShaping(BaseModel):
    """headroom: the shaping rate over the bitrate of a client's optimal level, less 1."""

    method: str
    headroom: float


class CellClients(BaseModel):
    """`count` equal players. stop_s: null where they play to the end.

    optimal_levels: of each, while all clients of the cell play at the link's rate; empty where
    the rate varies. The gateway gives higher levels to those that came earlier.
    """

    player: str
    options: dict[str, Any]
    count: int
    buffer_s: float
    start_s: float
    stop_s: float | None
    optimal_levels: list[int]


class CellEvent(BaseModel):
    """For a while, in one direction: loss, as a ratio, or another round-trip time; null: not that.

    path: its name, where paths are named.
    """

    at_s: float
    for_s: float
    loss: float | None = None
    rtt_s: float | None = None
    on: str
    path: str | None = None


class CellOut(BaseModel):
    """A cell in SI units: bit/s, seconds, packets, ratios. uplink: null where it is not shaped.

    levels: which combination of the campaign's factors it is.
    """

    levels: dict[str, Any] = Field(examples=[{"server.congestion_control": "cubic"}])
    clock: str
    duration_s: float
    film: CellFilm
    server: CellServer
    path: CellPath
    downlink: CellLink | None
    uplink: CellLink | None
    shaping: CellShaping
    clients: list[CellClients]
    events: list[CellEvent]


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
        downlink=_link(gateway["downlink"], experiment),
        uplink=_link(gateway["uplink"], experiment),
        shaping=CellShaping.model_validate(gateway["shaping"]),
        clients=_clients(experiment),
        events=[CellEvent.model_validate(event) for event in experiment["events"]],
    )


def _link(link: resolved.Link, experiment: resolved.Experiment) -> CellLink | None:
    steps, queue = link["rate_steps"], link["queue"]
    if not steps or queue is None:
        return None
    period_s = link["rate_loop_s"] or experiment["duration_s"]
    rate_bps = traces.mean_rate(steps, period_s)
    rtt_s = experiment["gateway"]["path"]["rtt"]["mean_s"]
    bdp_packets = rate_bps * rtt_s / 8 / PACKET_BYTES
    limit = queue["limit_packets"]
    return CellLink(
        rate_bps=rate_bps,
        lowest_bps=min(rate for _, rate in steps),
        highest_bps=max(rate for _, rate in steps),
        steps=len(steps),
        bdp_packets=bdp_packets,
        queue=CellQueue(
            discipline=queue["discipline"],
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
