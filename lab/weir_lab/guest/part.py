"""What one agent's lab kernel is told on the real clock, and what it measures, as types: plain
values, by `marshal`.

Nothing here is imported inside the kernel.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from weir_lab.guest.plan import Counter, KernelCounts, Role
from weir_lab.wiring import Group, Link

__all__ = [
    "AskForCount",
    "AskForProbe",
    "AskForStart",
    "MeasuredByHost",
    "Order",
    "Part",
    "PartInGuest",
]


class Part(TypedDict):
    """What one agent carries of a cell on the real clock. host: the agent's; hosts: in its kernel,
    as the gateways of all paths in the gateway's. player: a client's. clients: of the whole cell.
    film_mib: memory that its film takes.

    devices: `ip` lines that make vec0, vec1, ... the devices of `links`, which are in the order of
    hosts. counted, mptcp_hosts: as Plan's, of these hosts.
    """

    host: str
    hosts: list[str]
    player: str | None
    clients: int
    film_mib: int
    kernel_sysctls: list[str]
    devices: list[str]
    links: list[Link]
    groups: list[Group]
    roles: list[Role]
    drain_s: float
    counted: list[Counter]
    mptcp_hosts: list[str]
    end_s: float
    record_tcp: bool
    record_queue: bool


class PartInGuest(Part):
    """As the host's lab kernel gets it. packages: folder by name."""

    packages: dict[str, str]


class AskForProbe(TypedDict):
    """Measure the idle path from `host` to the address `target`; source: the address that it goes
    out from, where it is given."""

    do: Literal["probe"]
    host: str
    target: str
    count: int
    pause_s: float
    source: NotRequired[str]


class AskForStart(TypedDict):
    """Let the roles run; epoch_s: second 0 on the kernel's monotonic clock."""

    do: Literal["start"]
    epoch_s: float


class AskForCount(TypedDict):
    """Count the frames sent; or count those received and write down what was measured."""

    do: Literal["count", "finish"]


Order = AskForProbe | AskForStart | AskForCount


class MeasuredByHost(KernelCounts):
    """Of one agent's hosts. idle_rtts_s: of each probe that was asked for.

    sent, received: frames of each link; None where not known.
    """

    idle_rtts_s: list[list[float]]
    sent: NotRequired[list[int] | list[None]]
    received: NotRequired[list[int]]
    counters: NotRequired[list[str]]
