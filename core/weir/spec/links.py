"""Links and the paths behind them, as users write them: rates, round trips, loss."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag

from weir.spec.model import Model
from weir.spec.quantities import DurationS, PositiveDurationS, RateBps, RatioUpTo1
from weir.spec.queues import DropTail, Queue

__all__ = [
    "Conditions",
    "Link",
    "Loss",
    "NamedPath",
    "Path",
    "Rate",
    "Rtt",
    "SteppedRate",
    "TracedRate",
    "Uplink",
    "Upstream",
]


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
    format: Literal["mahimahi", "pensieve", "rows"] = Field(
        description="rows: CSV of time_s and rate_mbit (weir.spec.conditions)."
    )
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


class Upstream(Model):
    """A second link on the way to the clients, between server and gateway, with a queue of its own:
    whichever of the two is slower is the bottleneck.
    """

    rate: Rate
    queue: Queue = DropTail()
    rtt: DurationS = Field(
        default="0ms",
        validate_default=True,
        description="What it adds to every round trip: a delay of what goes up.",
    )


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


class Conditions(Model):
    """Round trips and downlink loss over time, from a measured trace (weir.spec.conditions)."""

    trace: str = Field(description="File, relative to the campaign's.")
    format: Literal["rows", "cellreplay"] = Field(
        description="rows: CSV of time_s and rtt_ms, loss_percent; cellreplay: its delay files."
    )
    loop: bool = Field(default=True, description="Start over when the trace ends.")


_CONDITIONS = Field(
    default=None,
    description="From second 0 on, in place of the mean RTT and downlink loss; jitter stays.",
)


class Path(Model):
    """The network between server and gateway."""

    rtt: Rtt = Rtt()
    loss: Loss = Loss()
    conditions: Conditions | None = _CONDITIONS


class NamedPath(Model):
    """One of several ways to the clients: its gateway's links, and the network behind it."""

    downlink: Link
    uplink: Uplink = Uplink()
    upstream: Upstream | None = None
    rtt: Rtt = Rtt()
    loss: Loss = Loss()
    conditions: Conditions | None = _CONDITIONS

    @property
    def idle_rtt_s(self) -> float:
        """Mean round trip while nothing queues."""
        return self.rtt.mean + (self.upstream.rtt if self.upstream else 0.0)
