"""The resolved experiment: what `expand` hands to the lab and the roles.

A plain dict that survives JSON, in SI units (bit/s, s, ratios between 0 and 1). These types exist
for the type checker; nothing validates at run time, because `weir.resolve` is the only maker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NotRequired, TypedDict

if TYPE_CHECKING:  # a module more to import would move the lab kernel's clock (weir_lab.guest)
    from weir.resolved_film import Content
    from weir.resolved_network import Direction, Event, Gateway

__all__ = [
    "OUTSIDE",
    "PROGRAMS",
    "Aimd",
    "Checks",
    "Client",
    "ClientSource",
    "Deadlines",
    "Drawn",
    "EcnMode",
    "Experiment",
    "Kernel",
    "Package",
    "Patch",
    "Record",
    "Server",
    "Traffic",
]

Clock = Literal["virtual", "real"]
HttpVersion = Literal["1.1", "2"]
EcnMode = Literal[
    "off", "classic", "classic-if-asked", "accurate", "accurate-asks-classic", "accurate-if-asked"
]
"""What a host does about ECN, by the values 0 to 5 of net.ipv4.tcp_ecn; see weir.ecn."""


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


# The key "class" is a keyword, hence the functional form.
ClientSource = TypedDict(
    "ClientSource",
    {"name": str, "class": str | None, "sha256": str, "text": str},
)


OUTSIDE = "outside"
"""The `player` of a client that is a program of the user's own, in a host that is no lab kernel."""


CHROMIUM = "chromium"
"""The `player` that is a browser, with dash.js in its page."""

PROGRAMS = ("dashjs", "hlsjs", "shaka", CHROMIUM)
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
