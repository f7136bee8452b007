"""The experiment as users write it. Parsed fields hold SI numbers: bit/s, s, ratios.

These models check shapes and single values. Rules between fields are in `rules.py`, files and
everything relative (BDPs, defaults that depend on the link) in `resolve.py`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from weir.resolved_network import Direction
from weir.spec.client import Client
from weir.spec.content import Content
from weir.spec.kernel import Kernel
from weir.spec.links import Link, NamedPath, Path, Uplink, Upstream
from weir.spec.model import Model
from weir.spec.quantities import (
    DurationS,
    PositiveDurationS,
    RateBps,
    RatioUpTo1,
)
from weir.spec.server import Server
from weir.spec.sessions import Sessions
from weir.spec.shaping import NoShaping, Shaping
from weir.spec.traffic import Traffic

__all__ = ["Event", "Experiment"]

PathName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$", max_length=12)]


class Gateway(Model):
    """The home gateway and the path behind it; or several of both, each by its name."""

    downlink: Link | None = Field(default=None, description="Required where no paths are named.")
    uplink: Uplink = Uplink()
    upstream: Upstream | None = Field(
        default=None, description="A second bottleneck before this one; by default there is none."
    )
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
                downlink=self.downlink,
                uplink=self.uplink,
                upstream=self.upstream,
                rtt=self.path.rtt,
                loss=self.path.loss,
                conditions=self.path.conditions,
            )
        }


class Event(Model):
    """What happens to a path for a while: exactly one of loss, an outage, another rate or RTT."""

    at: DurationS
    for_: PositiveDurationS = Field(alias="for")
    path: str | None = Field(default=None, description="Which of gateway.paths; required there.")
    loss: RatioUpTo1 | None = None
    down: Literal["silent", "carrier"] | None = Field(
        default=None,
        description="Nothing passes, either way. silent: no host is told, and what had reached the "
        "bottleneck before still arrives. carrier: the clients' interfaces lose their carrier, and "
        "what waits at the bottleneck is lost.",
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

    tcp: Literal["full", "per-second", "off"] = Field(
        default="full", description="Every ACK at the server, or sums by second and flow."
    )
    queue: Literal["full", "per-second", "summary", "off"] = Field(
        default="full",
        description="Every packet at the bottleneck; or sums by second and flow and by 10 ms; or "
        "by 10 ms alone.",
    )


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
    content: Content | None = Field(
        default=None, description="The film of all clients; required where there are some."
    )
    kernel: Kernel = Kernel()
    server: Server = Server()
    gateway: Gateway
    clients: list[Client] = Field(
        default=[], max_length=200, description="Players; required where there are no sessions."
    )
    sessions: Sessions | None = None
    events: list[Event] = Field(default=[])
    traffic: list[Traffic] = Field(
        default=[], max_length=100, description="Flows that share the paths with the players."
    )
    record: Record = Record()
    checks: Checks = Checks()
