"""Other traffic: flows that share the paths with the players. Models, rules, resolved form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from weir import resolved
from weir.draws import draw
from weir.errors import Problem
from weir.resolved import EcnMode
from weir.resolved_network import Direction
from weir.spec import drawn
from weir.spec.drawn import DrawnDurationS, DrawnSizeBytes
from weir.spec.model import Model
from weir.spec.quantities import DurationS, PositiveDurationS, RateBps

__all__ = ["Traffic", "broken_rules", "resolve"]

MOST_RESPONSES = 20_000
"""In a run: each is drawn beforehand, and a line of events.jsonl."""
MOST_ADDED_RTT_S = 2.0
"""A cell waits no longer for what is on its way when an experiment ends."""


class _Flow(Model):
    path: str | None = Field(default=None, description="Which of gateway.paths; required there.")
    direction: Direction = "downlink"
    start: DurationS = Field(default="0s", validate_default=True)
    stop: PositiveDurationS | None = Field(default=None, description="Absent: until the end.")
    count: int = Field(default=1, ge=1, le=500)
    added_rtt: DurationS = Field(
        default="0s",
        validate_default=True,
        description="What its own end adds to the path's round trip: a delay of what comes to it "
        "behind the bottleneck, which it shares with all others on the path.",
        examples=["150ms"],
    )


class _OverTcp(_Flow):
    congestion_control: str = Field(
        default="cubic", pattern=r"^[a-z0-9_]+$", max_length=15, description="Of its sender."
    )
    ecn: EcnMode | None = Field(
        default=None,
        description="What its end at home asks for. Default: as a client's, by its own control.",
    )


class BulkTcp(_OverTcp):
    """A TCP connection that always has something to send."""

    kind: Literal["tcp"]


class Udp(_Flow):
    """Datagrams at a constant rate, without pause or on and off."""

    kind: Literal["udp"]
    rate: RateBps = Field(description="While it sends, with IP and UDP headers.")
    packet: int = Field(default=1500, ge=64, le=1500, description="Bytes, with those headers.")
    on: PositiveDurationS | None = Field(
        default=None, description="Mean of how long it sends; drawn from an exponential."
    )
    off: PositiveDurationS | None = Field(default=None, description="Mean of its pauses, likewise.")


class RequestResponse(_OverTcp):
    """Responses of drawn sizes over one TCP connection, each asked for a drawn while after the one
    before; their direction counts.
    """

    kind: Literal["request-response"]
    size: DrawnSizeBytes = Field(description="Of each response.", examples=["200kB"])
    think: DrawnDurationS = Field(
        description="From a response's last byte to the next request.",
        examples=["2s", {"distribution": "exponential", "mean": "2s", "at_most": "20s"}],
    )
    request: int = Field(default=300, ge=8, le=65536, description="Bytes of each request.")


Flow = BulkTcp | Udp | RequestResponse
Traffic = Annotated[Flow, Field(discriminator="kind")]
"""Any of them."""


def broken_rules(
    traffic: list[Flow], duration_s: float, clock: str, uplinks: set[str | None]
) -> Iterator[Problem]:
    """Every one that the flows break by themselves; paths are relative to the experiment.

    uplinks: names of the paths whose uplink has a rate; None: the only path, without a name.
    """
    if traffic and clock == "real":
        yield Problem("traffic", "on the real clock", "on the virtual clock",
                      "set clock: virtual, or remove it")  # fmt: skip
    for index, flow in enumerate(traffic):
        at = f"traffic.{index}"
        if flow.start >= duration_s:
            yield Problem(f"{at}.start", f"{flow.start:g}s", f"before the end, {duration_s:g}s",
                          "it would never send; start it earlier")  # fmt: skip
        if flow.stop is not None and flow.stop <= flow.start:
            yield Problem(f"{at}.stop", f"{flow.stop:g}s", f"after its start, {flow.start:g}s",
                          "stop it later or remove stop")  # fmt: skip
        if flow.added_rtt > MOST_ADDED_RTT_S:
            yield Problem(f"{at}.added_rtt", f"{flow.added_rtt:g}s",
                          f"at most {MOST_ADDED_RTT_S:g}s", "lower it")  # fmt: skip
        if isinstance(flow, BulkTcp) and flow.direction == "uplink" and flow.path not in uplinks:
            yield Problem(f"{at}.direction", "uplink", "on a path whose uplink has a rate",
                          "without one it would send without end; set uplink.rate")  # fmt: skip
        if isinstance(flow, Udp) and (flow.on is None) != (flow.off is None):
            missing = "on" if flow.on is None else "off"
            yield Problem(f"{at}.{missing}", None, "beside the other of on and off",
                          "write both or none")  # fmt: skip
    yield from _responses(traffic, duration_s)


def _responses(traffic: list[Flow], duration_s: float) -> Iterator[Problem]:
    """Of request-response: what is drawn, and how often."""
    expected = 0.0
    for index, flow in enumerate(traffic):
        if not isinstance(flow, RequestResponse):
            continue
        at = f"traffic.{index}"
        wrong = [
            *drawn.broken_rules(f"{at}.size", flow.size),
            *drawn.broken_rules(f"{at}.think", flow.think),
        ]
        yield from wrong
        if wrong:
            continue
        think_s = draw(drawn.resolve(flow.think), 0.5)
        if think_s <= 0:
            yield Problem(f"{at}.think", f"{think_s:g}s", "above zero",
                          "without pause it is a flow of kind tcp; raise it")  # fmt: skip
            continue
        length_s = min(flow.stop or duration_s, duration_s) - flow.start
        expected += flow.count * max(0.0, length_s) / think_s
        if expected > MOST_RESPONSES:
            yield Problem(f"{at}.think", f"up to about {expected:.0f} responses",
                          f"at most {MOST_RESPONSES} of all flows in a run",
                          "raise it, or let fewer flows run for less time")  # fmt: skip
            return


def resolve(traffic: list[Flow], duration_s: float) -> list[resolved.Traffic]:
    """One for each flow, `count` equal ones after one another."""
    found: list[resolved.Traffic] = []
    for flow in traffic:
        one: resolved.Traffic = {
            "kind": flow.kind,
            "direction": flow.direction,
            "start_s": flow.start,
            "stop_s": duration_s if flow.stop is None else min(flow.stop, duration_s),
        }
        if flow.path is not None:
            one["path"] = flow.path
        if flow.added_rtt:
            one["added_rtt_s"] = flow.added_rtt
        if isinstance(flow, RequestResponse):
            one["request_bytes"] = flow.request
            one["size_bytes"] = drawn.resolve(flow.size)
            one["think_s"] = drawn.resolve(flow.think)
        if isinstance(flow, _OverTcp):
            one["congestion_control"] = flow.congestion_control
            if flow.ecn is not None:
                one["ecn"] = flow.ecn
        else:
            one["rate_bps"], one["packet_bytes"] = flow.rate, flow.packet
            if flow.on is not None and flow.off is not None:
                one["on_s"], one["off_s"] = flow.on, flow.off
        found += [one] * flow.count
    return found
