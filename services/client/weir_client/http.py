"""One persistent HTTP/1.1 connection that fetches byte ranges and throws the bodies away.

Built for few system calls, each of which costs about 40 us in a lab kernel: SO_RCVLOWAT lets the
process sleep until most of what is missing has come, MSG_TRUNC drops it without copying
(tcp(7), Linux >= 2.4), and the clock is read three times per response: request, first and last
byte. Semantics: RFC 9112 (HTTP/1.1), RFC 9110 section 14 (range requests).
"""

from __future__ import annotations

import _socket  # `socket` imports selectors and enum, and wraps each call
import mmap
import select
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    class Watch(Protocol):
        """What a reader wants to know of a body while it comes; times are the connection's."""

        def until_s(self) -> float:
            """When to look at what has come, however little that is."""

        def came(self, received_bytes: int) -> None:
            """So many bytes of the body have come."""


# 4 MiB holds 8 Mbit/s for 4 s and the window of 330 Mbit/s at 100 ms, so that the receiver's own
# window never limits; socket(7): the kernel doubles it for its bookkeeping.
RECEIVE_BUFFER_BYTES = 4 << 20
# A quarter of the buffer: the data that waits in it must not shrink the advertised window.
WAIT_FOR_BYTES = 1 << 20
HEADER_BYTES = 16384
PART = 206
SO_RCVLOWAT = 18  # asm-generic/socket.h; not in _socket

# Never touched, since MSG_TRUNC writes nothing: costs address space only.
_sink = memoryview(mmap.mmap(-1, WAIT_FOR_BYTES))


class Broken(Exception):
    """The connection ended, or what came is no HTTP response; the next get() opens a new one."""


class Reply:
    """One response, filled while it comes. Times are the clock's; nan until known."""

    __slots__ = ("first_byte_s", "last_byte_s", "port", "received_bytes", "request_s", "status")

    def __init__(self, request_s: float, port: int) -> None:
        self.request_s = request_s
        self.first_byte_s = self.last_byte_s = float("nan")
        self.received_bytes = 0  # of the body
        self.status = 0  # 0 until the header has come
        self.port = port  # local TCP port


class Connection:
    """A connection to one server, opened when first needed and again after it broke."""

    def __init__(
        self,
        server: str,
        port: int,
        clock: Callable[[], float] = monotonic,
        opening: Callable[[float], bytes] | None = None,
    ) -> None:
        """opening: header lines of each new connection's first request, by the clock's time."""
        self._address = (server, port)
        self._host = b"%s:%d" % (server.encode(), port) if port != 80 else server.encode()
        self._clock = clock
        self._opening = opening
        self._socket: _socket.socket | None = None
        self._header = bytearray(HEADER_BYTES)
        self._port = 0
        self.reply: Reply | None = None  # the latest, whole or not
        self.watch: Watch | None = None  # is told of what is asked for while it comes

    def get(self, path: bytes, first: int, last: int) -> Reply:
        """Fetch bytes first..last (both included) of path, whatever the status of the answer.

        Raises Broken or OSError if the connection fails; `reply` then tells how far it came. A
        reused connection that the server closed before its answer is replaced once, as RFC 9112
        section 9.3.1 wants.
        """
        self.reply = reply = self.new_reply()
        reused = self._socket is not None
        try:
            return self._exchange(path, first, last, reply)
        except (Broken, OSError):
            self.close()
            if not reused or reply.first_byte_s == reply.first_byte_s:
                raise
        try:
            return self._exchange(path, first, last, reply)
        except (Broken, OSError):
            self.close()
            raise

    def new_reply(self) -> Reply:
        """One to a request that is made now."""
        return Reply(self._clock(), self._port)

    def close(self) -> None:
        """Close the connection; the next get() opens a new one."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _open(self) -> _socket.socket:
        sock = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
        self._socket = sock
        # As far as net.core.rmem_max allows: in the guest, all of it (weir_lab.plan).
        sock.setsockopt(_socket.SOL_SOCKET, _socket.SO_RCVBUF, RECEIVE_BUFFER_BYTES)
        sock.setsockopt(_socket.IPPROTO_TCP, _socket.TCP_NODELAY, 1)
        sock.connect(self._address)
        self._port = sock.getsockname()[1]
        return sock

    def _exchange(self, path: bytes, first: int, last: int, reply: Reply) -> Reply:
        request = b"GET %s HTTP/1.1\r\nHost: %s\r\nRange: bytes=%d-%d\r\n" % (
            path, self._host, first, last)  # fmt: skip
        sock, asked = self._socket, b""
        if sock is None:
            sock = self._open()
            # In a lab kernel even a look at the clock takes time.
            asked = self._opening(self._clock()) if self._opening else b""
        reply.port = self._port
        sock.sendall(b"%b%b\r\n" % (request, asked), _socket.MSG_NOSIGNAL)
        sock.setsockopt(_socket.SOL_SOCKET, SO_RCVLOWAT, 1)
        header, extra = self._read_header(sock, reply)
        readable = select.poll()
        readable.register(sock, select.POLLIN)
        reply.status, length, keep = _parse(header)
        reply.received_bytes = extra
        watch = self.watch if reply.status == PART else None
        if watch is not None:
            watch.came(extra)
        while (missing := length - reply.received_bytes) > 0:
            want = min(missing, WAIT_FOR_BYTES)
            sock.setsockopt(_socket.SOL_SOCKET, SO_RCVLOWAT, want)
            # A recv that finds a part takes it and then sleeps until `want` more bytes are there,
            # which may be more than will ever come. Polling takes nothing, and wakes early when
            # the kernel is short of memory.
            readable.poll(None if watch is None else self._left_ms(watch))
            try:
                got = sock.recv_into(_sink, want, _socket.MSG_TRUNC | _socket.MSG_DONTWAIT)
            except BlockingIOError:
                assert watch is not None, "without an end to its wait, poll() waits for data"
                watch.came(reply.received_bytes)
                continue
            if not got:
                raise Broken(f"the server closed with {missing} bytes missing")
            reply.received_bytes += got
            if watch is not None:
                watch.came(reply.received_bytes)
        reply.last_byte_s = self._clock()
        if not keep:
            self.close()
        return reply

    def _left_ms(self, watch: Watch) -> float:
        return max(0.0, (watch.until_s() - self._clock()) * 1e3)

    def _read_header(self, sock: _socket.socket, reply: Reply) -> tuple[bytes, int]:
        """Return the header and how many bytes of the body came with it."""
        view, filled, end = memoryview(self._header), 0, -1
        while end < 0:
            if filled == HEADER_BYTES:
                raise Broken(f"a response header is longer than {HEADER_BYTES} bytes")
            got = sock.recv_into(view[filled:])
            if not got:
                raise Broken("the server closed before a response")
            if not filled:
                reply.first_byte_s = self._clock()
            filled += got
            end = self._header.find(b"\r\n\r\n", 0, filled)
        return bytes(view[:end]), filled - end - 4


def _parse(header: bytes) -> tuple[int, int, bool]:
    """Return status, body length in bytes, and whether the connection stays open."""
    lines = header.split(b"\r\n")
    words = lines[0].split(b" ", 2)
    if len(words) < 2 or not words[0].startswith(b"HTTP/1.") or not words[1].isdigit():
        raise Broken(f"no HTTP response: {lines[0][:80]!r}")
    length, keep = -1, words[0] == b"HTTP/1.1"
    for line in lines[1:]:
        name, _, value = line.partition(b":")
        name = name.lower()
        if name == b"content-length":
            length = int(value)
        elif name == b"connection":
            keep = b"close" not in value.lower()
    if length < 0:
        raise Broken(f"a response (status {int(words[1])}) without Content-Length")
    return int(words[1]), length, keep
