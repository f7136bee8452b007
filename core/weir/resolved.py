"""The resolved experiment: what `expand` hands to the lab and the roles.

A plain dict that survives JSON, in SI units (bit/s, s, ratios between 0 and 1). These types exist
for the type checker; nothing validates at run time, because `weir.resolve` is the only maker.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

__all__ = [
    "OUTSIDE",
    "PROGRAMS",
    "Aimd",
    "Checks",
    "Client",
    "ClientSource",
    "Content",
    "Deadlines",
    "Drawn",
    "EcnMode",
    "Event",
    "Experiment",
    "Gateway",
    "Kernel",
    "Link",
    "Live",
    "Loss",
    "NamedPath",
    "Package",
    "Patch",
    "Path",
    "Queue",
    "QueueOptions",
    "Record",
    "Rtt",
    "Server",
    "Shaping",
    "Traffic",
    "Upstream",
]

Clock = Literal["virtual", "real"]
Direction = Literal["downlink", "uplink"]
HttpVersion = Literal["1.1", "2"]
EcnMode = Literal[
    "off", "classic", "classic-if-asked", "accurate", "accurate-asks-classic", "accurate-if-asked"
]
"""What a host does about ECN, by the values 0 to 5 of net.ipv4.tcp_ecn; see weir.ecn."""


class Live(TypedDict):
    """A film that is made while it is watched. window_s: its making began so long before second 0,
    and a segment can be fetched for so long. chunk_s: as soon as so much of a segment is made, it
    can be fetched; the segment's length: whole ones alone. The rest is what players are told: the
    latency that they are to have, the most they are to bear (None: that is theirs to say), and the
    playback rates by which they get there.
    """

    target_latency_s: float
    max_latency_s: float | None
    min_rate: float
    max_rate: float
    chunk_s: float
    window_s: float


class Content(TypedDict):
    """One film. `segments` None: endless. `sizes_bytes`: [level][segment], None: constant rate.

    live: where it is made while it is watched.
    """

    bitrates_bps: list[float]
    segment_s: float
    segments: int | None
    sizes_bytes: list[list[int]] | None
    live: NotRequired[Live]


class Server(TypedDict):
    """`sysctls`: name -> value, as written into the server's namespace. scheduler: MPTCP's, where
    it is another than the kernel's default. congestion_control_options: where some are given.
    initial_ssthresh_segments: where connections begin with another than an infinite one.
    ecn: where it is asked for, as of clients and other traffic.
    """

    http: Literal["nginx", "apache"]
    http_version: HttpVersion
    congestion_control: str
    congestion_control_options: NotRequired[dict[str, str | int | bool]]
    sysctls: dict[str, str]
    scheduler: NotRequired[str]
    initial_ssthresh_segments: NotRequired[int]
    ecn: NotRequired[EcnMode]


QueueOptions = dict[str, int | float | bool]
"""A discipline's own settings, each with its unit in its name; see weir.spec.queues."""


class Queue(TypedDict):
    """`limit_packets` counts packets of 1500 bytes (red and ared turn it into bytes)."""

    discipline: str
    limit_packets: int
    options: QueueOptions


class Link(TypedDict):
    """`rate_steps`: [[since start in s, bit/s], ...], first at 0; empty: unshaped.

    A rate of 0.0 comes from a trace only and is an outage. `rate_loop_s`: the steps repeat with
    this period; None: the last rate stays.
    """

    rate_steps: list[list[float]]
    rate_loop_s: float | None
    queue: Queue | None


class Rtt(TypedDict):
    """Base RTT of the path and its jitter. `on`: which direction carries the delay."""

    mean_s: float
    stddev_s: float
    distribution: Literal["normal", "uniform", "pareto", "paretonormal"]
    keep_order: bool
    on: Literal["uplink", "downlink", "split"]


class Loss(TypedDict):
    """Random loss per direction, as a ratio."""

    downlink: float
    uplink: float


class Path(TypedDict):
    """Between server and gateway. conditions: [[since start in s, mean RTT in s, downlink loss as a
    ratio], ...], of the whole run, where they follow a trace.
    """

    rtt: Rtt
    loss: Loss
    conditions: NotRequired[list[list[float]]]


class Shaping(TypedDict):
    """`method`: see weir.spec.shaping. `headroom`: shaping rate above the optimal level's bitrate,
    as a ratio.
    """

    method: str
    headroom: float


class Upstream(TypedDict):
    """A link towards the clients before the gateway's. rtt_s: what it adds to every round trip."""

    link: Link
    rtt_s: float


class NamedPath(TypedDict):
    """One of several paths; see weir.paths. upstream: where there is one."""

    name: str
    downlink: Link
    uplink: Link
    path: Path
    upstream: NotRequired[Upstream]


class Gateway(TypedDict):
    """The bottleneck (downlink), the way back (uplink), the path and what shapes them; upstream: a
    second bottleneck, where there is one.

    Where paths are named: those of the first one, its name, and the others; see weir.paths.
    """

    downlink: Link
    uplink: Link
    path: Path
    shaping: Shaping
    upstream: NotRequired[Upstream]
    name: NotRequired[str]
    others: NotRequired[list[NamedPath]]


# The key "class" is a keyword, hence the functional form.
ClientSource = TypedDict(
    "ClientSource",
    {"name": str, "class": str | None, "sha256": str, "text": str},
)


OUTSIDE = "outside"
"""The `player` of a client that is a program of the user's own, in a host that is no lab kernel."""


PROGRAMS = ("dashjs", "hlsjs", "shaka")
"""Each `player` that is a program of others; its options are the version and settings."""


class Package(TypedDict):
    """A player for Node.js that a campaign brings: a folder, by value as the run key covers it.

    files: text by path in the folder. main: the path of what is started. browser: whether it plays
    in what Weir has of a browser (weir_client.browser).
    """

    main: str
    sha256: str
    files: dict[str, str]
    browser: NotRequired[Literal[True]]


class Aimd(TypedDict):
    """Parameters of the server's `aimd`. alpha: RTTs per segment of growth; beta: a share."""

    alpha: float
    beta: float


class Deadlines(TypedDict):
    """Of a film of `length_s` at `rate_bps`: its bytes are due evenly from `after_s` after the
    client's start on. `moves`, `lower_s`, `upper_s`: see weir.spec.experiment.Deadlines.
    """

    after_s: float
    length_s: float
    rate_bps: float
    moves: Literal["alpha", "beta", "none"]
    lower_s: float
    upper_s: float


class Client(TypedDict):
    """One player. `source`: a user's own ABR, carried by value so that the run key covers it.
    package: its own player, likewise, whose folder's name, with a slash, is `player`.

    in_flight: segments asked for at once. live: segment n (from 0) is there n + 1 segments after
    start_s.

    Where paths are named: paths, a name for each address of the client's, the first one opens the
    connection; backup: those of them that are.

    decisions: segment (from 0, in digits) -> the level that is played, whatever the player chooses.

    A session (weir.spec.sessions) has its kind as player, and a film of its own. released_s: when
    its first byte comes to be, the others follow at its rate; absent: all are there.
    """

    player: str
    options: dict[str, Any]
    buffer_s: float
    in_flight: int
    start_s: float
    stop_s: float | None
    source: ClientSource | None
    live: NotRequired[Literal[True]]
    ecn: NotRequired[EcnMode]
    decisions: NotRequired[dict[str, int]]
    aimd: NotRequired[Aimd]
    deadlines: NotRequired[Deadlines]
    film: NotRequired[Content]
    released_s: NotRequired[float]
    transport: NotRequired[Literal["mptcp"]]
    paths: NotRequired[list[str]]
    backup: NotRequired[list[str]]
    package: NotRequired[Package]


class Event(TypedDict):
    """From `at_s` on, for `for_s`: a share of the packets lost in one direction, or another mean
    RTT on the direction that is delayed; or no carrier, which has no direction. path: its name,
    where paths are named.
    """

    at_s: float
    for_s: float
    on: NotRequired[Direction]
    loss: NotRequired[float]
    rtt_s: NotRequired[float]
    down: NotRequired[Literal["carrier"]]
    path: NotRequired[str]


class Drawn(TypedDict):
    """A distribution in SI units: see weir.spec.drawn, and weir.draws, which draws from it."""

    distribution: Literal["uniform", "log-normal", "exponential"]
    at_most: float
    at_least: NotRequired[float]
    median: NotRequired[float]
    sigma: NotRequired[float]
    mean: NotRequired[float]


class Traffic(TypedDict):
    """A flow beside the players', from start_s to stop_s; the direction is that of its data.

    path: its name, where paths are named. added_rtt_s: to the path's round trip, of this flow
    alone, where it is not 0. congestion_control: of tcp and request-response, which has
    request_bytes, size_bytes (of a response) and think_s, too; the rest of udp, on_s and off_s
    (means) where it pauses.
    """

    kind: Literal["tcp", "udp", "request-response"]
    direction: Direction
    start_s: float
    stop_s: float
    path: NotRequired[str]
    added_rtt_s: NotRequired[float]
    congestion_control: NotRequired[str]
    ecn: NotRequired[EcnMode]
    rate_bps: NotRequired[float]
    packet_bytes: NotRequired[int]
    on_s: NotRequired[float]
    off_s: NotRequired[float]
    request_bytes: NotRequired[int]
    size_bytes: NotRequired[float | Drawn]
    think_s: NotRequired[float | Drawn]


class Record(TypedDict):
    """What is written down: see docs/run-directory.md."""

    tcp: Literal["full", "per-second", "off"]
    queue: Literal["full", "per-second", "summary", "off"]


class Checks(TypedDict):
    """How far measured conditions may be from those asked. Rate: a ratio of the asked rate.

    Real clock only: `timer_lateness_s`, `cpu_starvation` (a ratio of the run's time).
    """

    rtt_tolerance_s: float
    rate_tolerance: float
    timer_lateness_s: NotRequired[float]
    cpu_starvation: NotRequired[float]


class Patch(TypedDict):
    """A change to the kernel's source, carried by value so that the run key covers it."""

    name: str
    sha256: str
    text: str


class Kernel(TypedDict):
    """Changes to the lab's kernel. patches: in order. config: option, without CONFIG_, -> value."""

    version: NotRequired[str]
    patches: NotRequired[list[Patch]]
    config: NotRequired[dict[str, str]]


class Experiment(TypedDict):
    """One cell's full description. ends: where that may be before duration_s. kernel: where it is
    another than the lab's.
    """

    duration_s: float
    clock: Clock
    content: Content
    server: Server
    gateway: Gateway
    clients: list[Client]
    events: list[Event]
    traffic: NotRequired[list[Traffic]]
    ends: NotRequired[Literal["first-late-byte"]]
    kernel: NotRequired[Kernel]
    record: Record
    checks: Checks
