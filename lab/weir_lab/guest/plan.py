"""What a lab kernel is told and what it measures, as types: plain values, by `marshal`.

Nothing here is imported inside the kernel.
"""

from __future__ import annotations

import marshal
from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict, cast

from weir.resolved import Traffic
from weir_client import plan as client
from weir_client.web_player import Program
from weir_gateway import plan as gateway
from weir_server import plan as server

from weir_lab.wiring import Group

__all__ = [
    "Before",
    "CarrierArgs",
    "CarrierRole",
    "Counter",
    "FlowArgs",
    "KernelCounts",
    "KernelTestPlan",
    "Lateness",
    "Measured",
    "Plan",
    "Probe",
    "ResponsesArgs",
    "ResponsesRole",
    "Role",
    "TrafficArgs",
    "TrafficRole",
    "WarmUp",
    "Watched",
    "dumped",
]


class KernelTestPlan(TypedDict):
    """Of `weir_lab.guest.kernel_test.run`. tools: a folder of the host's. at: the folder in it that
    the command is started in. preload: a library in it for all that the test starts; empty: none.
    own_network: in a network namespace of its own, with nothing set up."""

    packages: dict[str, str]
    tools: str
    at: str
    command: list[str]
    preload: str
    own_network: bool


class LatenessArgs(TypedDict):
    """Of `weir_lab.guest.lateness.run`."""

    epoch_s: float
    end_s: float
    out: str


class Lateness(TypedDict):
    """How late timers fire in a host: on the real clock only."""

    host: str
    module: Literal["weir_lab.guest.lateness"]
    args: LatenessArgs
    awaited: bool


class FlowArgs(TypedDict):
    """Of whichever end of a flow of other traffic."""

    flow: Traffic
    at_home: bool
    address: str
    server: str
    port: int
    epoch_s: float
    end_s: float
    out: str


class TrafficArgs(FlowArgs):
    """Of `weir_client.traffic.run`."""

    sends: bool
    seed: int


class ResponsesArgs(FlowArgs):
    """Of `weir_client.responses.run`. drawn: (bytes, s to think afterwards) of each response."""

    responds: bool
    drawn: list[tuple[int, float]]


class Watched(TypedDict):
    """A device whose carrier is watched. lost, back: ip's lines for when it goes and comes.

    path: its name, where paths are named.
    """

    device: str
    lost: list[str]
    back: list[str]
    path: NotRequired[str]


class CarrierArgs(TypedDict):
    """Of `weir_lab.guest.carrier.run`. elsewhere: whether another path keeps its carrier."""

    watched: list[Watched]
    elsewhere: bool
    client: int
    epoch_s: float
    end_s: float
    out: str


class CarrierRole(TypedDict):
    """What watches a client's interfaces."""

    host: str
    module: Literal["weir_lab.guest.carrier"]
    args: CarrierArgs
    awaited: bool


class TrafficRole(TypedDict):
    """One end of a flow of other traffic that sends by itself."""

    host: str
    module: Literal["weir_client.traffic"]
    args: TrafficArgs
    awaited: bool


class ResponsesRole(TypedDict):
    """One end of a flow of requests and responses."""

    host: str
    module: Literal["weir_client.responses"]
    args: ResponsesArgs
    awaited: bool


Role = (
    server.Role
    | gateway.TimedRole
    | gateway.ManagerRole
    | client.Role
    | Program
    | TrafficRole
    | ResponsesRole
    | CarrierRole
    | Lateness
)
"""`run(**args)` of `module` in `host`; awaited: the experiment is over when it has returned."""


class Probe(TypedDict):
    """Echo requests from `host` to the address `target`; source: the address that they come from.

    until_s: on the guest's clock, when they are given up. path: whose round trip it is, where paths
    are named. traffic: of which flow's end, where that is longer than its path's.
    """

    host: str
    target: str
    count: int
    pause_s: float
    until_s: float
    source: NotRequired[str]
    path: NotRequired[int]
    traffic: NotRequired[int]


class WarmUp(TypedDict):
    """A connection from `host` to `server`, at its `address`, before the roles start."""

    host: str
    server: str
    address: str


class Counter(TypedDict):
    """A queue whose counters of tc's are read at the end."""

    host: str
    device: str


class Before(TypedDict):
    """What is done before a lab kernel is forked: the same for all cells of a shape.

    packages: folder by name. modules: imported. http: of the server that is started, by name and
    version, whether its clients may keep what they are sent, and whether its film is live. waiting:
    hosts with a process that waits for its role. tc: hosts with a tc that waits for lines. fork_s:
    when it is forked, on the kernel's monotonic clock.
    """

    packages: dict[str, str]
    kernel_sysctls: list[str]
    hosts: list[str]
    groups: list[Group]
    modules: list[str]
    http: tuple[str, str, bool, bool]
    waiting: list[str]
    tc: list[str]
    fork_s: float


class Plan(TypedDict):
    """A whole cell. packages: folder by name. epoch_s: second 0 on the kernel's monotonic clock.

    kernel_sysctls: before there are hosts, which take them over; run_sysctls: at any time. groups:
    the first `wired` are run before there is a server.

    drain_s: how long the bottlenecks may take to empty. counted: the bottleneck of each path.
    mptcp_hosts: those whose kernel's counts of MPTCP are read at the end. ends_early: a player may
    say that the experiment is over.
    """

    packages: dict[str, str]
    kernel_sysctls: list[str]
    run_sysctls: list[str]
    hosts: list[str]
    groups: list[Group]
    wired: int
    warm_ups: list[WarmUp]
    roles: list[Role]
    probes: list[Probe]
    epoch_s: float
    drain_s: float
    counted: list[Counter]
    mptcp_hosts: list[str]
    ends_early: bool


class KernelCounts(TypedDict, total=False):
    """control_options: what the kernel says of the congestion control's that were set. mptcp: by
    host, counts by the kernel's name of them."""

    control_options: dict[str, str]
    mptcp: dict[str, dict[str, int]]


class Measured(KernelCounts):
    """idle_rtts_s: of each probe. counters: tc's, as JSON, of each counted device.

    ended_s: when the last player ended, where that could be early.
    """

    idle_rtts_s: list[list[float]]
    counters: list[str]
    ended_s: NotRequired[float]


def dumped(told: Mapping[str, object]) -> bytes:
    """A plan, a part or an order as a lab kernel reads it."""
    return marshal.dumps(cast("dict[str, Any]", told))
