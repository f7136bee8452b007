"""A host's links as the lab kernel's network devices: L2TPv3 (RFC 3931) over UDP.

A session number of its own for each link of each run keeps apart what strays: the kernel drops
packets of another one.
"""

from __future__ import annotations

import socket
import sys
from dataclasses import dataclass
from pathlib import Path

DEPTH_PACKETS = 128  # at most so many per system call, each way


@dataclass(frozen=True)
class LinkEnd:
    """One end of a link, as its own agent sees it. Addresses are IPv4, in text."""

    address: str
    port: int
    peer_address: str
    peer_port: int
    session: int


def device(number: int, link: LinkEnd) -> str:
    """The kernel's command line for device vecNUMBER."""
    return (
        f"vec{number}:transport=l2tpv3,udp=1,src={link.address},srcport={link.port},"
        f"dst={link.peer_address},dstport={link.peer_port},"
        f"rx_session={link.session:#x},tx_session={link.session:#x},depth={DEPTH_PACKETS}"
    )


def free_ports(address: str, count: int) -> list[int]:
    """UDP ports of `address` that nobody has now. Raises OSError when it is not this machine's."""
    held = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(count)]
    try:
        for one in held:
            one.bind((address, 0))
        return [one.getsockname()[1] for one in held]
    finally:
        for one in held:
            one.close()


def overflows(end: LinkEnd) -> int | None:
    """Datagrams so far that the socket of a link's end had no room for; None: there is none.

    Source: the last column of /proc/net/udp (net/ipv4/udp.c, udp4_format_sock).
    """
    address = int.from_bytes(socket.inet_aton(end.address), sys.byteorder)
    local = f"{address:08X}:{end.port:04X}"
    for line in Path("/proc/net/udp").read_text().splitlines()[1:]:
        words = line.split()
        if words[1] == local:
            return int(words[-1])
    return None
