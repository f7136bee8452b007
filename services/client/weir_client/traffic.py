"""Role: one end of a flow of other traffic, which no player asked for. Guest side.

The end at home opens the flow, so that both directions pass a gateway as a viewer's own traffic
does; whichever end sends, sends from start_s to stop_s.
"""

from __future__ import annotations

import _socket  # `socket` imports selectors and enum
import os
import select
import struct
import time
from random import Random

from weir import plain_json
from weir.waking import sleep_until

from weir_client.http import SO_RCVLOWAT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from weir.resolved import Traffic

TCP_CONGESTION = 13
ECN_MODE_AT = 276  # in struct tcp_info: two bits of tcpi_ecn_mode; include/uapi/linux/tcp.h
UDP_HEADERS_BYTES = 28
TRAINS = "/proc/weir_datagrams"  # lab/kernel/modules/datagrams.c
CHUNK = bytes(1 << 16)
WAIT_FOR_BYTES = 1 << 16
"""To wake for each packet costs more than the packet itself."""


def run(
    flow: Traffic,
    sends: bool,
    at_home: bool,
    address: str,
    server: str,
    port: int,
    seed: int,
    epoch_s: float,
    end_s: float,
    out: str,
) -> None:
    """Send or receive until the flow's stop; write what was sent, and by which control, to `out`.

    address, server: of the end at home, and of the other. port: of both.
    """
    stop_s = min(flow["stop_s"], end_s)
    own, other = (address, server) if at_home else (server, address)
    datagrams = flow["kind"] == "udp"
    sock = bound(_socket.SOCK_DGRAM if datagrams else _socket.SOCK_STREAM, own, port)
    if not datagrams and not at_home:
        sock.listen(1)
    until_ns = round((epoch_s + stop_s) * 1e9)
    sleep_until(round((epoch_s + flow["start_s"]) * 1e9))
    sent, control, ecn = 0, "", -1
    if datagrams:
        if sends:
            sock.connect((other, port))
            sent = _send_datagrams(sock, flow, seed, round(epoch_s * 1e9), stop_s)
    else:
        stream = opened(sock, other, port, at_home, until_ns)
        if stream is not None:
            if sends:
                control = controlled(stream, flow["congestion_control"])
                ecn = ecn_agreed(stream)
            sent = _stream(stream, sends, until_ns)
    sleep_until(until_ns)
    if sends:
        plain_json.write(out, {"bytes": sent, "congestion_control": control, "ecn": ecn})


def _send_datagrams(
    sock: _socket.socket, flow: Traffic, seed: int, epoch_ns: int, stop_s: float
) -> int:
    """Bytes sent, with headers. A system call for each time that the flow is on."""
    size, sent = flow["packet_bytes"], 0
    gap_ns = round(size * 8e9 / flow["rate_bps"])
    trains = os.open(TRAINS, os.O_WRONLY)
    for on_ns, off_ns in _times_on(flow, seed, stop_s):
        count = -((on_ns - off_ns) // gap_ns)
        words = sock.fileno(), size - UDP_HEADERS_BYTES, gap_ns, epoch_ns + on_ns, count
        os.write(trains, " ".join(map(str, words)).encode())
        sent += size * count
    os.close(trains)
    return sent


def _times_on(flow: Traffic, seed: int, stop_s: float) -> Iterator[tuple[int, int]]:
    """From and until when it sends, in ns since the experiment's start; lengths drawn by seed."""
    draw = Random(seed).expovariate
    on_ns, stop_ns = round(flow["start_s"] * 1e9), round(stop_s * 1e9)
    while on_ns < stop_ns:
        lasts_s = draw(1 / flow["on_s"]) if "on_s" in flow else stop_s
        off_ns = min(stop_ns, on_ns + round(lasts_s * 1e9))
        yield on_ns, off_ns
        on_ns = off_ns + (round(draw(1 / flow["off_s"]) * 1e9) if "off_s" in flow else 0)


def bound(kind: int, address: str, port: int) -> _socket.socket:
    """A socket of this kind at an address of the host's."""
    sock = _socket.socket(_socket.AF_INET, kind)
    sock.setsockopt(_socket.SOL_SOCKET, _socket.SO_REUSEADDR, 1)
    sock.bind((address, port))
    return sock


def opened(
    sock: _socket.socket, other: str, port: int, at_home: bool, until_ns: int
) -> _socket.socket | None:
    """The connection; None where the other end was not reached in time."""
    sock.settimeout(max(0.0, (until_ns - time.monotonic_ns()) / 1e9))
    try:
        if at_home:
            sock.connect((other, port))
            return sock
        fd, _ = sock._accept()  # type: ignore[attr-defined]  # what accept() wraps
    except OSError:
        return None
    return _socket.socket(fileno=fd)


def controlled(stream: _socket.socket, name: str) -> str:
    """Have the stream use this congestion control; which one the kernel says it has."""
    stream.setsockopt(_socket.IPPROTO_TCP, TCP_CONGESTION, name.encode())
    has = stream.getsockopt(_socket.IPPROTO_TCP, TCP_CONGESTION, 16)
    return has.rstrip(bytes(1)).decode()


def ecn_agreed(stream: _socket.socket) -> int:
    """TCPI_ECN_MODE_* of the connection: 0 nothing, 1 RFC 3168, 2 AccECN."""
    info = stream.getsockopt(_socket.IPPROTO_TCP, _socket.TCP_INFO, ECN_MODE_AT + 4)
    return info[ECN_MODE_AT] & 3 if len(info) > ECN_MODE_AT else 0


def _stream(stream: _socket.socket, sends: bool, until_ns: int) -> int:
    """Send as much as TCP takes, or take what comes; the bytes sent, to the socket."""
    stream.settimeout(0.0)
    if not sends:
        stream.setsockopt(_socket.SOL_SOCKET, SO_RCVLOWAT, WAIT_FOR_BYTES)
    ready = select.poll()
    ready.register(stream, select.POLLOUT if sends else select.POLLIN)
    sent = 0
    sink = bytearray(1 << 18)
    try:
        while (left_ns := until_ns - time.monotonic_ns()) > 0 and ready.poll(left_ns / 1e6):
            if sends:
                sent += stream.send(CHUNK, _socket.MSG_NOSIGNAL)
            elif not stream.recv_into(sink, len(sink), _socket.MSG_TRUNC):
                break
    except OSError:
        return sent  # the other end was first to stop
    drop(stream)
    return sent


def drop(stream: _socket.socket) -> None:
    """Close at once: what still waits in the socket goes no more."""
    stream.setsockopt(_socket.SOL_SOCKET, _socket.SO_LINGER, struct.pack("ii", 1, 0))
    stream.close()
