"""A host's links as the lab kernel's network devices.

Between machines L2TPv3 (RFC 3931) over UDP. A session number of its own for each link of each run
keeps apart what strays: the kernel drops packets of another one.

Between agents of one program (local_agents.py) a wire: a pair of AF_UNIX SOCK_SEQPACKET sockets,
each end a lab kernel's. Linux takes no address on one, so that a kernel needs no right to make
sockets, and native code in it reaches the other kernel alone.
"""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

DEPTH_PACKETS = 128  # at most so many per system call, each way
WIRE_BYTES = 4 << 20  # waiting for a kernel; the machine grants net.core.wmem_max at most


@dataclass(frozen=True)
class LinkEnd:
    """One end of a link, as its own agent sees it. Addresses are IPv4, in text.

    wire: the descriptor of this end, where it is one of a wire; addresses then say nothing.
    """

    address: str
    port: int
    peer_address: str
    peer_port: int
    session: int
    wire: int | None = None


def wire() -> tuple[socket.socket, socket.socket]:
    """Both ends of one. A full one holds its sender back: it loses nothing."""
    ends = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for end in ends:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, WIRE_BYTES)
    return ends


def drain(wires: Iterable[int]) -> None:
    """Forget what an earlier run has left on its way to these ends."""
    for number in wires:
        end = socket.socket(fileno=number)
        try:
            with suppress(BlockingIOError):
                while end.recv(1, socket.MSG_DONTWAIT):
                    pass
        finally:
            end.detach()


def device(number: int, link: LinkEnd) -> str:
    """The kernel's command line for device vecNUMBER."""
    if link.wire is not None:
        return f"vec{number}:transport=fd,fd={link.wire},depth={DEPTH_PACKETS}"
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
    if end.wire is not None:
        return 0
    address = int.from_bytes(socket.inet_aton(end.address), sys.byteorder)
    local = f"{address:08X}:{end.port:04X}"
    for line in Path("/proc/net/udp").read_text().splitlines()[1:]:
        words = line.split()
        if words[1] == local:
            return int(words[-1])
    return None
