"""ECN of a cell's hosts: what each asks for and accepts, and what two of them agree on.

Classic ECN is RFC 3168: a receiver says that there was a mark. Accurate ECN is RFC 9768: it says
how many. A sender may put ECT on its packets once either is agreed on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, get_args

from weir.paths import paths_of
from weir.resolved import EcnMode, Experiment
from weir.resolved_network import Queue

__all__ = [
    "NEEDS",
    "TCP_ECN",
    "Agreed",
    "agreed",
    "can_mark",
    "of_client",
    "of_server",
    "of_traffic",
    "recorded",
]

Agreed = Literal["none", "classic", "accurate"]

TCP_ECN: Final[dict[EcnMode, int]] = {mode: value for value, mode in enumerate(get_args(EcnMode))}
"""Values of net.ipv4.tcp_ecn, in the order of their names."""
KERNELS: Final[EcnMode] = "classic-if-asked"
"""What a host does that is told nothing."""
NEEDS: Final[dict[str, Agreed]] = {"dctcp": "classic", "prague": "accurate"}
"""Controls that are another one without it: they run as dctcp-reno and prague-reno then."""

_RANK: Final[tuple[Agreed, ...]] = get_args(Agreed)
_ASKS: Final[dict[EcnMode, Agreed]] = {
    "off": "none",
    "classic": "classic",
    "classic-if-asked": "none",
    "accurate": "accurate",
    "accurate-asks-classic": "classic",
    "accurate-if-asked": "none",
}
_ACCEPTS: Final[dict[EcnMode, Agreed]] = {
    "off": "none",
    "classic": "classic",
    "classic-if-asked": "classic",
    "accurate": "accurate",
    "accurate-asks-classic": "accurate",
    "accurate-if-asked": "accurate",
}


def agreed(asks: EcnMode | None, accepts: EcnMode | None, listening: str = "") -> Agreed:
    """What a connection has whose opener is set to `asks` and whose listener to `accepts`.

    None: nothing is set. listening: the congestion control of the listening socket, which accepts
    what that needs, however it is set, and nothing less than accurate ECN where it needs that.
    """
    wanted = _ASKS[asks or KERNELS]
    taken = max(_ACCEPTS[accepts or KERNELS], NEEDS.get(listening, "none"), key=_RANK.index)
    found = min(wanted, taken, key=_RANK.index)
    return "none" if NEEDS.get(listening) == "accurate" != found else found


def of_server(experiment: Experiment) -> EcnMode | None:
    """As it is asked for; else what the senders' controls need of it. None: it is told nothing."""
    if asked := experiment["server"].get("ecn"):
        return asked
    return "accurate" if "accurate" in map(NEEDS.get, _controls(experiment)) else None


def of_client(experiment: Experiment, number: int) -> EcnMode | None:
    """Of the client (1-based): as it is asked for; else it asks where a queue is told to mark, or
    the server's control needs it.
    """
    asked = experiment["clients"][number - 1].get("ecn")
    return asked or _unasked(experiment, experiment["server"]["congestion_control"])


def of_traffic(experiment: Experiment, number: int) -> EcnMode | None:
    """The same of the end at home of other traffic (1-based), which opens the connection."""
    flow = experiment["traffic"][number - 1]
    return flow.get("ecn") or _unasked(experiment, flow.get("congestion_control", ""))


def _unasked(experiment: Experiment, control: str) -> EcnMode | None:
    needed = NEEDS.get(control)
    if needed == "accurate":
        return "accurate"
    links = [path[link] for path in paths_of(experiment) for link in ("downlink", "uplink")]
    return "classic" if needed or any(_told_to_mark(link["queue"]) for link in links) else None


def recorded(experiment: Experiment) -> bool:
    """Whether a host asks for ECN, so that packets are recorded with it."""
    clients = range(1, len(experiment["clients"]) + 1)
    flows = range(1, len(experiment.get("traffic", [])) + 1)
    modes = [
        *(of_client(experiment, number) for number in clients),
        *(of_traffic(experiment, number) for number in flows),
    ]
    return any(_ASKS[mode or KERNELS] != "none" for mode in modes)


def can_mark(queue: Queue | None) -> bool:
    """Whether it marks packets of those that allow it: CAKE and DualPI2 do so always."""
    return queue is not None and (
        queue["discipline"] in ("cake", "dualpi2") or _told_to_mark(queue)
    )


def _told_to_mark(queue: Queue | None) -> bool:
    return queue is not None and bool(
        queue["options"].get("ecn") or "ce_threshold_s" in queue["options"]
    )


def _controls(experiment: Experiment) -> Iterator[str]:
    yield experiment["server"]["congestion_control"]
    for flow in experiment.get("traffic", []):
        yield flow.get("congestion_control", "")
