"""Did the links between a cell's hosts carry all that they were given? Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from weir.records import Check

from weir_lab.checks import check

__all__ = ["Ends", "lost_packets"]


@dataclass(frozen=True)
class Ends:
    """One host's ends of its links, in the order of `peers`, each with packets of a whole run.

    sent: None where that is not known. overflows: datagrams that the end's socket had no room
    for, None where that is not known.
    """

    peers: list[str]
    sent: list[int | None]
    received: list[int]
    overflows: list[int | None]


def lost_packets(ends: dict[str, Ends]) -> Check:
    """What went into each link, by host, and did not come out of it; none is asked for."""
    said, lost = [], []
    for host, here in ends.items():
        for peer, sent in zip(here.peers, here.sent, strict=True):
            there = ends[peer]
            link = there.peers.index(host)
            no_room = there.overflows[link]
            missing = no_room if sent is None else max(0, sent - there.received[link])
            lost.append(missing)
            said.append(f"{host} to {peer}: {_told(missing, sent, no_room)}")
    known = [number for number in lost if number is not None]
    measured: Any = sum(known) if len(known) == len(lost) else None
    return check("link_lost_packets", 0, said, measured, 0, measured == 0)


def _told(missing: int | None, sent: int | None, no_room: int | None) -> str:
    told = f"{'?' if missing is None else missing} of {'?' if sent is None else sent}"
    return f"{told}, {no_room} since the socket was full" if no_room else told
