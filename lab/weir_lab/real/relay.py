"""Carries a lab kernel's frames between its wires and the other ends of its links.

    python -m weir_lab.real.relay WIRE:UDP:SESSION ...   two descriptors and a number for each link

WIRE: of a pair of which the kernel has the other end (links.wire). UDP: a socket that is connected
to the link's other end; frames pass it as L2TPv3. Whatever the kernel does, what it sends goes to
that end alone.

Each way of a link has a thread, which waits for room: a full wire loses nothing, and what then
finds no room in the UDP socket is counted there (links.overflows).
"""

from __future__ import annotations

import sys
import threading
from socket import socket

from weir_lab.real import l2tpv3


def outward(wire: socket, udp: socket, session: int) -> None:
    """Frames of the kernel, until its end of the wire is closed."""
    header = l2tpv3.header(session)
    while frame := wire.recv(l2tpv3.LARGEST_FRAME_BYTES):
        try:
            udp.send(header + frame)
        except OSError:  # nobody is there (yet): a link loses what it cannot carry
            continue


def inward(wire: socket, udp: socket, session: int) -> None:
    """Frames to the kernel of packets of this session, until its end of the wire is closed."""
    header = l2tpv3.header(session)
    while True:
        try:
            packet = udp.recv(l2tpv3.LARGEST_PACKET_BYTES)
        except OSError:  # what became of a packet that was sent (ICMP)
            continue
        if packet.startswith(header) and len(packet) > l2tpv3.HEADER_BYTES:
            try:
                wire.send(packet[l2tpv3.HEADER_BYTES :])
            except BrokenPipeError:
                return


def main() -> None:
    for words in sys.argv[1:]:
        wire, udp, session = map(int, words.split(":"))
        link = (socket(fileno=wire), socket(fileno=udp), session)
        for way in (outward, inward):
            threading.Thread(target=way, args=link).start()


if __name__ == "__main__":
    main()
