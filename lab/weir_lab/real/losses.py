"""Did the links between a cell's hosts carry all that they were given? Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from weir.records import Check

from weir_lab.checks import check

__all__ = ["End", "lost_packets"]


@dataclass(frozen=True)
class End:
    """`host`'s end of its link to `peer`, with packets of a whole run.

    sent: None where that is not known. overflows: datagrams that the end's socket had no room
    for, None where that is not known.
    """

    host: str
    peer: str
    sent: int | None
    received: int
    overflows: int | None


def lost_packets(ends: list[End]) -> Check:
    """What went into each link, and did not come out of it; none is asked for."""
    others = {(end.peer, end.host): end for end in ends}
    said, lost = [], []
    for here in ends:
        there = others[here.host, here.peer]
        no_room = there.overflows
        missing = no_room if here.sent is None else max(0, here.sent - there.received)
        lost.append(missing)
        said.append(f"{here.host} to {here.peer}: {_told(missing, here.sent, no_room)}")
    known = [number for number in lost if number is not None]
    measured: Any = sum(known) if len(known) == len(lost) else None
    return check("link_lost_packets", 0, said, measured, 0, measured == 0)


def _told(missing: int | None, sent: int | None, no_room: int | None) -> str:
    told = f"{'?' if missing is None else missing} of {'?' if sent is None else sent}"
    return f"{told}, {no_room} since the socket was full" if no_room else told
