"""A TAP device of this network namespace as one end of a cell's link: L2TPv3 over UDP.

    python -m weir_lab.real.bridge --tap weir0 --link UDP --session N

UDP: the descriptor of a socket that is connected to the link's other end. Needs CAP_NET_ADMIN and
/dev/net/tun, and no module of the kernel's. The device is there once `up` is said, and ends with
this program. Only IPv4 frames to one host pass: what else a kernel says by itself has no place in
a bottleneck's record.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import select
import signal
import socket
import struct
import sys

from weir_lab.real import l2tpv3

# linux/if_tun.h
TUNSETIFF = 0x400454CA
IFF_TAP, IFF_NO_PI = 0x2, 0x1000
MOST_AT_ONCE = 64
IPV4 = b"\x08\x00"


def open_tap(name: str) -> int:
    """A file descriptor of a new TAP device. Raises OSError."""
    tap = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(tap, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TAP | IFF_NO_PI))
    return tap


def passes(frame: bytes) -> bool:
    """Whether it is IPv4, and to one host."""
    return frame[12:14] == IPV4 and not frame[0] & 1


def run(tap: int, link: socket.socket, session: int) -> None:
    """Carry frames both ways for ever."""
    header = l2tpv3.header(session)
    while True:
        ready, _, _ = select.select([tap, link.fileno()], [], [])
        if tap in ready:
            _out(tap, link, header)
        if link.fileno() in ready:
            _in(link, tap, header)


def _out(tap: int, link: socket.socket, header: bytes) -> None:
    for _ in range(MOST_AT_ONCE):
        try:
            frame = os.read(tap, l2tpv3.LARGEST_FRAME_BYTES)
        except BlockingIOError:
            return
        except OSError:  # the device is not up yet
            return
        if passes(frame):
            try:
                link.send(header + frame)
            except OSError:  # full, or nobody is there yet: a link loses what it cannot carry
                continue


def _in(link: socket.socket, tap: int, header: bytes) -> None:
    for _ in range(MOST_AT_ONCE):
        try:
            packet = link.recv(l2tpv3.LARGEST_PACKET_BYTES)
        except OSError:  # no more, or the other end refused what was sent
            return
        if packet.startswith(header):
            try:
                os.write(tap, packet[l2tpv3.HEADER_BYTES :])
            except OSError:
                continue


def main() -> None:
    parser = argparse.ArgumentParser(prog="bridge", description=__doc__.partition("\n")[0])
    parser.add_argument("--tap", required=True)
    parser.add_argument("--link", type=int, required=True)
    parser.add_argument("--session", type=int, required=True)
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        tap = open_tap(asked.tap)
    except OSError as error:
        sys.exit(
            f"{asked.tap}: no TAP device can be made ({error.strerror}); an outside player needs "
            "CAP_NET_ADMIN and /dev/net/tun"
        )
    link = socket.socket(fileno=asked.link)
    link.setblocking(False)
    print("up", flush=True)
    run(tap, link, asked.session)


if __name__ == "__main__":
    main()
