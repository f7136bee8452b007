"""What a cell and its agents say to each other over HTTP (serve.py), as types."""

from __future__ import annotations

from typing import Final, Literal, TypedDict

from weir_lab.guest.part import AskForCount, AskForProbe, Part

__all__ = [
    "CELL",
    "About",
    "AskForStartAt",
    "BootRequest",
    "Order",
    "PeerEnd",
    "Reservation",
    "Reserved",
    "RunState",
]

CELL: Final = "cell"
"""The role, and the name, of an agent that has all of a cell's hosts."""


class About(TypedDict):
    """role: server, gateway, client, outside, chromium or CELL. run: that it is busy with."""

    role: str
    run: str | None


class Reservation(TypedDict):
    """A host's part of the run `run`. kernel: the lab kernel's hash."""

    run: str
    part: Part
    seed: int
    kernel: str


class Reserved(TypedDict):
    """The host's own ends of its links: an IPv4 address, and a UDP port for each."""

    address: str
    ports: list[int]


class PeerEnd(TypedDict):
    """The other end of a link, and the session that both ends name."""

    address: str
    port: int
    session: int


class BootRequest(TypedDict):
    """Of each link, in the part's order."""

    links: list[PeerEnd]


class AskForStartAt(TypedDict):
    """Let the roles run; epoch_unix_s: the common second 0."""

    do: Literal["start"]
    epoch_unix_s: float


Order = AskForProbe | AskForStartAt | AskForCount


class RunState(TypedDict):
    """Where a run stands at one host.

    state: reserved, booting, ready, ended (all done), failed (`reason` says why; `late`: it missed
    the start). ordered, done: how many orders it was given, and has carried out. film_s: of the
    experiment, so far. epoch_s: second 0 on the host's monotonic clock. starved: share of the time
    without a CPU. overflows: of each link, see `links.overflows`.
    """

    state: str
    reason: str
    late: bool
    ordered: int
    done: int
    film_s: float | None
    epoch_s: float | None
    starved: float | None
    overflows: list[int | None]
    now_unix_s: float
