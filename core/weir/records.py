"""What a run directory's JSON documents say, as types: see docs/run-directory.md."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from weir.resolved import Experiment
from weir.resolved_network import Direction

__all__ = ["Check", "Command", "Counted", "EventRecord", "FlowRecord", "KernelNamed", "RunDocument"]


class FlowRecord(TypedDict):
    """One TCP connection, or a subflow of an MPTCP one: an entry of flows.json.

    `client` is 1-based; 0: none, but other traffic, whose number is traffic. path: its name, where
    paths are named.
    """

    flow: int
    client: int
    local_port: int
    remote_port: int
    remote_address: str
    congestion_control: str
    mss_bytes: int
    path: NotRequired[str]
    traffic: NotRequired[int]


class Counted(TypedDict):
    """Packets that a queue discipline has taken in so far, sent or waiting, and dropped."""

    packets: int
    drops: int


class EventRecord(TypedDict):
    """Something that happened at `t_s`: a line of events.jsonl.

    applied: the lines that a role applied then, as typed. levels: [address, port, level] of each
    session that is managed. level, level_before, buffer_s, reason: what dash.js chose, with how
    much media ahead, and what it says of why. traffic, requested_s, size_bytes: of a response that
    came whole to other traffic. media_s, speed: where playback of a live film is, in s since its
    making began, and by how many s a second it moves from then on; media_s of another film, since
    its beginning. name: of an event of a browser's video element. frames, dropped_frames: that it
    decoded, and that it did not show in time.
    """

    t_s: float
    event: Literal[
        "carrier-back",
        "carrier-lost",
        "client-starts",
        "client-stops",
        "conditions",
        "experiment-ends",
        "frames",
        "level-chosen",
        "link-rate",
        "loss-begins",
        "loss-ends",
        "media",
        "outage-begins",
        "outage-ends",
        "playback",
        "rate",
        "response",
        "rtt-begins",
        "rtt-ends",
        "session-closes",
        "session-opens",
    ]
    host: NotRequired[str]
    path: NotRequired[str]
    client: NotRequired[int]
    on: NotRequired[Direction]
    loss: NotRequired[float]
    rate_bps: NotRequired[float]
    rtt_s: NotRequired[float]
    counted: NotRequired[Counted]
    address: NotRequired[str]
    port: NotRequired[int]
    levels: NotRequired[list[tuple[str, int, int]]]
    traffic: NotRequired[int]
    requested_s: NotRequired[float]
    size_bytes: NotRequired[int]
    applied: NotRequired[list[str]]
    level: NotRequired[int]
    level_before: NotRequired[int | None]
    buffer_s: NotRequired[float]
    reason: NotRequired[Any]
    media_s: NotRequired[float]
    speed: NotRequired[float]
    name: NotRequired[str]
    frames: NotRequired[int]
    dropped_frames: NotRequired[int]


class Check(TypedDict):
    """Was a condition as asked: an entry of checks.json, values in the unit the name ends in."""

    name: str
    asked: Any
    applied: Any
    measured: Any
    tolerance: float | None
    ok: bool


class Command(TypedDict):
    """A line as a person would type it in its host: an entry of commands.json.

    at_s: of what was applied while the experiment ran.
    """

    host: str
    program: str
    line: str
    at_s: NotRequired[float]


class KernelNamed(TypedDict):
    """The lab kernel of a run. hash: of its inputs."""

    release: str
    hash: str


class RunDocument(TypedDict):
    """run.json: nothing in it varies between repeats of the same key.

    levels: factor path -> level as written. roles: versions of the programs in the cell, and the
    hash that covers them. outcome: succeeded, failed or invalid.
    """

    format: int
    key: str
    campaign: str
    levels: dict[str, Any]
    replicate: int
    seed: int
    experiment: Experiment
    notes: list[str]
    kernel: KernelNamed
    roles: dict[str, str]
    outcome: str
    reason: str
