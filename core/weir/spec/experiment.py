"""The experiment as users write it. Parsed fields hold SI numbers: bit/s, s, ratios.

These models check shapes and single values. Rules between fields are in `rules.py`, files and
everything relative (BDPs, defaults that depend on the link) in `resolve.py`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag, WithJsonSchema

from weir.resolved import Direction
from weir.spec.content import Content
from weir.spec.model import Model
from weir.spec.quantities import (
    DurationS,
    PositiveDurationS,
    RateBps,
    RatioUpTo1,
    refusal,
)
from weir.spec.queues import DropTail, Queue
from weir.spec.shaping import NoShaping, Shaping
from weir.spec.traffic import Traffic

__all__ = [
    "Client",
    "Content",
    "Event",
    "Experiment",
    "Link",
    "SteppedRate",
    "TracedRate",
]

OptionValue = str | int | float | bool


def _http_version(value: object) -> object:
    """As written: 1.1, 2 or "2"."""
    word = {1.1: "1.1", 2: "2"}.get(value, value) if isinstance(value, float | int) else value
    if word not in ("1.1", "2"):
        raise refusal("1.1 or 2", "write one of them; HTTP/3 runs over QUIC, not over TCP")
    return word


HttpVersion = Annotated[
    Literal["1.1", "2"],
    BeforeValidator(_http_version),
    WithJsonSchema({"enum": [1.1, 2, "1.1", "2"]}),
]


class Server(Model):
    """The web server's host."""

    http: Literal["nginx", "apache"] = "nginx"
    http_version: HttpVersion = Field(
        default="1.1", description="2: without TLS, by prior knowledge (RFC 9113, section 3.3)."
    )
    congestion_control: str = Field(
        default="cubic",
        pattern=r"^[a-z0-9_]+$",
        max_length=15,
        description="The kernel's name of it; `weir kernel list` shows those that are built in.",
        examples=["cubic", "illinois"],
    )
    congestion_control_options: dict[
        Annotated[str, Field(pattern=r"^[a-z0-9_]+$", max_length=64)],
        Annotated[str, Field(pattern=r"^[-+0-9a-zA-Z_.]+$", max_length=64)] | bool | int,
    ] = Field(
        default={},
        description="Parameters of its module, written before the server starts.",
        examples=[{"pacing": True}],
    )
    scheduler: str = Field(
        default="default",
        pattern=r"^[a-z0-9_]+$",
        max_length=15,
        description="Which of a connection's paths carries what: MPTCP's scheduler.",
        examples=["default", "redundant"],
    )
    sysctls: dict[
        Annotated[str, Field(pattern=r"^net\.[a-z0-9_./]+$")],
        Annotated[str, Field(pattern=r"^[-0-9a-z_ \t]+$", max_length=200)] | int,
    ] = Field(
        default={},
        description="Set in the server's network namespace before the start.",
        examples=[{"net.ipv4.tcp_slow_start_after_idle": 0}],
    )


class Step(Model):
    """From `at` on, the link has this rate."""

    at: DurationS
    rate: RateBps


class SteppedRate(Model):
    """A rate that changes at given moments. The first step is at 0s."""

    steps: list[Step] = Field(min_length=1)


class TracedRate(Model):
    """A rate from a measured trace (formats: weir.spec.traces)."""

    trace: str = Field(description="File, relative to the campaign's.")
    format: Literal["mahimahi", "pensieve"]
    bin: PositiveDurationS | None = Field(
        default=None, description="mahimahi: opportunities are counted per bin; default 100ms."
    )
    loop: bool = Field(default=True, description="Start over when the trace ends.")


def _kind_of_rate(value: Any) -> str:
    if isinstance(value, TracedRate) or (
        isinstance(value, dict) and ("trace" in value or "format" in value)
    ):
        return "<trace>"
    return "<steps>" if isinstance(value, dict | SteppedRate) else "<constant>"


Rate = Annotated[
    Annotated[RateBps, Tag("<constant>")]
    | Annotated[SteppedRate, Tag("<steps>")]
    | Annotated[TracedRate, Tag("<trace>")],
    Discriminator(_kind_of_rate),
]


class Link(Model):
    """The bottleneck towards the clients."""

    rate: Rate
    per_client: bool = Field(
        default=False, description="`rate` is one client's share: times the number of clients."
    )
    queue: Queue = DropTail()


class Uplink(Model):
    """The way back. Without a rate it is not shaped and never queues."""

    rate: Rate | None = None
    queue: Queue | None = None


class Rtt(Model):
    """Round-trip time of the idle path: netem's delay, its jitter, and where it is added."""

    mean: DurationS = Field(default="0ms", validate_default=True)
    stddev: DurationS = Field(default="0ms", validate_default=True)
    distribution: Literal["normal", "uniform", "pareto", "paretonormal"] = "normal"
    keep_order: bool = Field(default=True, description="Jitter never reorders packets.")
    on: Literal["uplink", "downlink", "split"] = Field(
        default="uplink", description="Direction that is delayed; split: half in each."
    )


class Loss(Model):
    """Random loss."""

    downlink: RatioUpTo1 = Field(default="0%", validate_default=True)
    uplink: RatioUpTo1 = Field(default="0%", validate_default=True)


class Path(Model):
    """The network between server and gateway."""

    rtt: Rtt = Rtt()
    loss: Loss = Loss()


class NamedPath(Model):
    """One of several ways to the clients: its gateway's links, and the network behind it."""

    downlink: Link
    uplink: Uplink = Uplink()
    rtt: Rtt = Rtt()
    loss: Loss = Loss()


PathName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$", max_length=12)]


class Gateway(Model):
    """The home gateway and the path behind it; or several of both, each by its name."""

    downlink: Link | None = Field(default=None, description="Required where no paths are named.")
    uplink: Uplink = Uplink()
    path: Path = Path()
    paths: dict[PathName, NamedPath] = Field(
        default={},
        description="Several paths, each with links of its own, in place of the keys above.",
        examples=[{"wifi": {"downlink": {"rate": "4Mbit/s"}}}],
    )
    shaping: Shaping = NoShaping()

    @property
    def every_path(self) -> dict[str, NamedPath]:
        """All paths by where they stand in an experiment: `gateway`, or `gateway.paths.NAME`."""
        if self.paths:
            return {f"gateway.paths.{name}": path for name, path in self.paths.items()}
        if self.downlink is None:
            return {}
        return {
            "gateway": NamedPath.model_construct(
                downlink=self.downlink, uplink=self.uplink, rtt=self.path.rtt, loss=self.path.loss
            )
        }


class Aimd(Model):
    """Parameters of the server's `aimd` for this client's connections. Defaults are New Reno's."""

    alpha: float = Field(
        default=1.0, ge=0.05, le=1000, description="RTTs per segment of growth; small: fast."
    )
    beta: float = Field(
        default=0.5, ge=0.001, le=0.999, description="Share of cwnd that a loss takes."
    )


class Deadlines(Model):
    """When each byte of the film is due, for a client that plays one level without a pause.

    The last byte of segment n is due `after` + n segments after the client's start.
    """

    after: DurationS = Field(description="From the client's start to its first byte's deadline.")
    moves: Literal["alpha", "beta", "none"] = Field(
        default="alpha",
        description="What `aimd` moves to meet them; none: it is not told, lateness is measured.",
    )
    lower: DurationS = Field(
        default="5s", validate_default=True, description="With a smaller margin: all speed."
    )
    upper: PositiveDurationS = Field(
        default="20s", validate_default=True, description="With a larger margin: least speed."
    )


class Client(Model):
    """One player, or `count` equal ones."""

    player: str = Field(
        description="A player's name, or a file with your own ABR: ./abr.py or ./abr.py:Class; or "
        "`outside`: a program of your own that fetches over HTTP, on the real clock.",
        examples=["aggressive-rate", "./my_abr.py:MyAbr", "outside"],
    )
    options: dict[str, OptionValue] = Field(
        default={}, description="The player's own options.", examples=[{"level": 2}]
    )
    buffer: PositiveDurationS = Field(default="30s", validate_default=True)
    start: DurationS = Field(default="0s", validate_default=True)
    stop: PositiveDurationS | None = Field(default=None, description="Absent: plays to the end.")
    count: int = Field(default=1, ge=1, le=200)
    aimd: Aimd | None = Field(
        default=None, description="What the client asks of a server whose control is `aimd`."
    )
    deadlines: Deadlines | None = Field(
        default=None, description="When its bytes are due; the player must be `fixed`."
    )
    in_flight: int = Field(
        default=1,
        ge=1,
        le=100,
        description="Segments asked for at once, each in a stream of one HTTP/2 connection.",
    )
    transport: Literal["tcp", "mptcp"] = "tcp"
    paths: list[str] = Field(
        default=[],
        description="Names of gateway.paths, each an address of the client's; the first one opens "
        "the connection. One that is named twice is a bottleneck that both addresses share. "
        "Default: the first path; with mptcp all.",
        examples=[["wifi", "lte"]],
    )
    backup: list[str] = Field(
        default=[], description="mptcp: those of them that carry data only while no other can."
    )

    def uses(self, names: list[str]) -> list[str]:
        """Of these names of gateway.paths, in order: one for each of its addresses."""
        return self.paths or (names if self.transport == "mptcp" else names[:1])


class Event(Model):
    """What happens to a path for a while: exactly one of loss, an outage, another rate or RTT."""

    at: DurationS
    for_: PositiveDurationS = Field(alias="for")
    path: str | None = Field(default=None, description="Which of gateway.paths; required there.")
    loss: RatioUpTo1 | None = None
    down: Literal["silent"] | None = Field(
        default=None,
        description="Nothing passes, either way, and no host is told. What had reached the "
        "bottleneck before still arrives.",
    )
    rate: RateBps | None = Field(default=None, description="Of a link whose rate is constant.")
    rtt: PositiveDurationS | None = Field(
        default=None, description="In place of the idle path's mean; the jitter stays."
    )
    on: Literal["downlink", "uplink"] | None = Field(
        default=None, description="Direction of loss and rate; default downlink."
    )

    @property
    def kinds(self) -> list[str]:
        """Which of them it is; one, where it is sound."""
        return [key for key in ("loss", "down", "rate", "rtt") if getattr(self, key) is not None]

    @property
    def directions(self) -> list[Direction]:
        """Those that it concerns."""
        if self.loss is None and self.rate is None:
            return ["downlink", "uplink"]
        return [self.on or "downlink"]


class Record(Model):
    """What is written down of every packet; players are always recorded."""

    tcp: Literal["full", "off"] = "full"
    queue: Literal["full", "summary", "off"] = "full"


class Checks(Model):
    """How far a measured condition may be from the one asked before the run is invalid."""

    rtt_tolerance: PositiveDurationS | None = Field(
        default=None, description="Mean of the idle path. Default: 100us; on the real clock 1ms."
    )
    rate_tolerance: RatioUpTo1 | None = Field(
        default=None, description="Default: 0.5%; on the real clock 1%."
    )
    timer_lateness: PositiveDurationS = Field(
        default="2ms",
        validate_default=True,
        description="Real clock: 99 of 100 timers on each host fire within this.",
    )
    cpu_starvation: RatioUpTo1 = Field(
        default="5%",
        validate_default=True,
        description="Real clock: share of the time that a host may wait for a CPU.",
    )


class Experiment(Model):
    """One cell's full description."""

    duration: PositiveDurationS
    clock: Literal["virtual", "real"] = "virtual"
    content: Content
    server: Server = Server()
    gateway: Gateway
    clients: list[Client] = Field(min_length=1, max_length=200)
    events: list[Event] = Field(default=[])
    traffic: list[Traffic] = Field(
        default=[], max_length=100, description="Flows that share the paths with the players."
    )
    record: Record = Record()
    checks: Checks = Checks()
