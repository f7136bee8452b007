"""A host's links as the lab kernel's network devices: L2TPv3 (RFC 3931) over UDP. Pure.

A session number of its own for each link of each run keeps apart what strays: the kernel drops
packets of another one.
"""

from __future__ import annotations

import socket
from dataclasses import dataclass

DEPTH_PACKETS = 128  # at most so many per system call, each way


@dataclass(frozen=True)
class Link:
    """One end of a link, as its own agent sees it. Addresses are IPv4, in text."""

    address: str
    port: int
    peer_address: str
    peer_port: int
    session: int


def device(number: int, link: Link) -> str:
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
