"""Role: what a client's interfaces see of their carriers, and what follows. Guest side.

As a phone's connection manager does: an interface that has lost its carrier is no MPTCP endpoint
any longer, so that the kernel tells the server (REMOVE_ADDR, RFC 8684, 3.4.2), which then sends on
the other subflows what was on its way; with a carrier it is one again. Where no interface has a
carrier, the last one stays an endpoint: a connection without subflows would never go on, and the
subflow that is left waits as any TCP connection does.
Sources: rtnetlink(7), netlink(7), netdevice(7).
"""

from __future__ import annotations

import _socket  # `socket` imports selectors and enum
import struct
import time

from weir import plain_json
from weir_gateway import ip_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from weir.records import EventRecord

    from weir_lab.guest.plan import Watched

LINK_GROUP = 1  # RTMGRP_LINK
NEW_LINK = 16  # RTM_NEWLINK
LOWER_UP = 1 << 16  # IFF_LOWER_UP: there is a carrier
HEADER = struct.Struct("=IHHII")  # length, type, flags, sequence, port: struct nlmsghdr
LINK = struct.Struct("=BxHiII")  # family, type, index, flags, change: struct ifinfomsg


def run(
    watched: list[Watched], elsewhere: bool, client: int, epoch_s: float, end_s: float, out: str
) -> None:
    """Watch until the experiment's end; write what was seen and done, and when, to `out`.

    elsewhere: whether the client has an address on a path that keeps its carrier.
    """
    by_index = {_socket.if_nametoindex(each["device"]): each for each in watched}
    has_carrier = dict.fromkeys(by_index, True)
    is_endpoint = dict.fromkeys(by_index, True)
    events: list[EventRecord] = []
    kernel = _socket.socket(_socket.AF_NETLINK, _socket.SOCK_RAW, 0)
    kernel.bind((0, LINK_GROUP))
    until_ns = round((epoch_s + end_s) * 1e9)
    while (left_ns := until_ns - time.monotonic_ns()) > 0:
        kernel.settimeout(left_ns / 1e9)
        try:
            message = kernel.recv(1 << 16)
        except TimeoutError:
            break
        for index, carrier in _carriers(message):
            if has_carrier.get(index, carrier) == carrier:
                continue
            has_carrier[index], each = carrier, by_index[index]
            t_s = time.monotonic() - epoch_s
            events.append(
                {
                    "t_s": t_s,
                    "event": "carrier-back" if carrier else "carrier-lost",
                    "client": client,
                    "applied": ip_lines.apply(
                        _follow(by_index, has_carrier, is_endpoint, elsewhere)
                    ),
                }
            )
            if "path" in each:
                events[-1]["path"] = each["path"]
    plain_json.write(out, events)


def _follow(
    by_index: dict[int, Watched],
    has_carrier: dict[int, bool],
    is_endpoint: dict[int, bool],
    elsewhere: bool,
) -> list[str]:
    """ip's lines that make endpoints of those with a carrier, and of no other; or of the last."""
    goes_on = elsewhere or any(has_carrier.values())
    lines: list[str] = []
    for index, each in by_index.items():
        stays = has_carrier[index] or (is_endpoint[index] and not goes_on)
        if stays != is_endpoint[index]:
            is_endpoint[index] = stays
            lines += each["back"] if stays else each["lost"]
    return lines


def _carriers(message: bytes) -> Iterator[tuple[int, bool]]:
    """(index, has a carrier) of each link that the kernel's message tells of."""
    at = 0
    while at + HEADER.size <= len(message):
        length, kind, *_ = HEADER.unpack_from(message, at)
        if kind == NEW_LINK:
            _, _, index, flags, _ = LINK.unpack_from(message, at + HEADER.size)
            yield index, bool(flags & LOWER_UP)
        at += max(HEADER.size, length + -length % 4)
