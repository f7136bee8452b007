"""A host's links.

A lab kernel's network device has one end of a wire: a pair of AF_UNIX SOCK_SEQPACKET sockets, each
message a frame. Linux takes no address on one, so that a kernel needs no right to make sockets,
and native code in it reaches the other end alone.

The other end is a relay's (relay.py), which carries frames as L2TPv3 over UDP. A session number
of its own for each link of each run keeps apart what strays.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from weir_lab.packages import python_path
from weir_lab.parent import die_with

BUFFER_BYTES = 4 << 20  # waiting at an end; the machine grants net.core.wmem_max at most


@dataclass(frozen=True)
class LinkEnd:
    """One end of a link, as its own agent sees it. Addresses are IPv4, in text."""

    address: str
    port: int
    peer_address: str
    peer_port: int
    session: int


def wire() -> tuple[socket.socket, socket.socket]:
    """Both ends of one. A full one holds its sender back: it loses nothing."""
    ends = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for end in ends:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER_BYTES)
    return ends


@contextmanager
def relayed(ends: Sequence[LinkEnd]) -> Iterator[tuple[int, ...]]:
    """Descriptors of a lab kernel's ends of its wires, while a relay carries what passes them.

    None is started for a kernel without links. The relay ends with this context, or with the thread
    that entered it. Raises OSError.
    """
    if not ends:
        yield ()
        return
    with ExitStack() as stack:
        kernels, links, held = [], [], []
        for end in ends:
            own, other = (stack.enter_context(one) for one in wire())
            udp = stack.enter_context(connected(end))
            kernels.append(own.fileno())
            links.append(f"{other.fileno()}:{udp.fileno()}:{end.session}")
            held += [other.fileno(), udp.fileno()]
        process = subprocess.Popen(
            [sys.executable, "-m", "weir_lab.real.relay", *links],
            env={"PYTHONPATH": os.pathsep.join(python_path())},
            stdin=subprocess.DEVNULL,
            pass_fds=held,
            preexec_fn=partial(die_with, os.getpid(), signal.SIGKILL),  # noqa: PLW1509 - a system call
        )
        try:
            yield tuple(kernels)
        finally:
            process.kill()
            process.wait()


def connected(end: LinkEnd) -> socket.socket:
    """A UDP socket between a link's two ends; it hears the other alone. Raises OSError."""
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        for buffer in (socket.SO_RCVBUF, socket.SO_SNDBUF):
            udp.setsockopt(socket.SOL_SOCKET, buffer, BUFFER_BYTES)
        udp.bind((end.address, end.port))
        udp.connect((end.peer_address, end.peer_port))
    except BaseException:
        udp.close()
        raise
    return udp


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
