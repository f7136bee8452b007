"""The network of a resolved experiment (weir.resolved): links, queues, paths, and their events."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

__all__ = [
    "Direction",
    "Event",
    "Gateway",
    "Link",
    "Loss",
    "NamedPath",
    "Path",
    "Queue",
    "QueueOptions",
    "Rtt",
    "Shaping",
    "Upstream",
]

Direction = Literal["downlink", "uplink"]


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
