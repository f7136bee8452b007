"""One HTTP/2 connection that fetches byte ranges, several at once if asked, and drops the bodies.

HTTP/2 without TLS by prior knowledge (RFC 9113, section 3.3); frames and header compression are
the library's, h2. The windows of its flow control are as wide as they can be, so that TCP alone
limits. Streams have equal weight: the server shares the connection among them as it likes.

As in http.py SO_RCVLOWAT lets the process sleep until as much has come as is missing at least;
the clock is read after each receive, of which a response takes three or so.
"""

from __future__ import annotations

import _socket
import select
from time import monotonic

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import DataReceived, ResponseReceived, StreamEnded, StreamReset
from h2.exceptions import ProtocolError
from h2.settings import SettingCodes, Settings

from weir_client import http
from weir_client.http import SO_RCVLOWAT, WAIT_FOR_BYTES, Broken, Reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from h2.events import Event

WIDEST_WINDOW_BYTES = 2**31 - 1  # RFC 9113, section 6.9.1
FIRST_WINDOW_BYTES = 65535  # of a connection: section 6.9.2
FRAME_HEADER_BYTES = 9  # section 4.1
SETTINGS = {SettingCodes.ENABLE_PUSH: 0, SettingCodes.INITIAL_WINDOW_SIZE: WIDEST_WINDOW_BYTES}


class Stream:
    """A request that is being answered.

    missing_bytes: of the body, at least; 0 until the header has come. last_s: when something came.
    """

    __slots__ = ("last_s", "missing_bytes", "reply")

    def __init__(self, reply: Reply) -> None:
        self.reply = reply
        self.missing_bytes = 0
        self.last_s = float("nan")


class Connection(http.Connection):
    """A connection to one server, opened when first needed and again after it broke."""

    def __init__(self, server: str, port: int, clock: Callable[[], float] = monotonic) -> None:
        super().__init__(server, port, clock)
        self._streams: dict[int, Stream] = {}
        self._unparsed_bytes = 0  # of frames that have not come whole, at most
        self._h2 = H2Connection()

    def ask(self, path: bytes, first: int, last: int, reply: Reply) -> None:
        """Ask for bytes first..last (both included) of path; `wait` fills the reply.

        Raises Broken or OSError if the connection fails.
        """
        sock = self._socket or self._open()
        reply.port = self._port
        number = self._h2.get_next_available_stream_id()
        headers = [
            (b":method", b"GET"),
            (b":scheme", b"http"),
            (b":authority", self._host),
            (b":path", path),
            (b"range", b"bytes=%d-%d" % (first, last)),
        ]
        self._streams[number] = Stream(reply)
        try:
            self._h2.send_headers(number, headers, end_stream=True)
        except ProtocolError as error:  # the server has said that it ends the connection
            raise Broken(str(error)) from error
        sock.sendall(self._h2.data_to_send(), _socket.MSG_NOSIGNAL)

    def wait(self, until_s: float | None = None) -> list[Reply]:
        """The replies that ended next; none if that takes until that time of the clock.

        Raises Broken or OSError if the connection fails; what was asked for then stays unanswered.
        """
        assert self._socket is not None
        while True:
            self._socket.setsockopt(_socket.SOL_SOCKET, SO_RCVLOWAT, self._least_bytes())
            left_s = None if until_s is None else max(0.0, until_s - self._clock())
            if not select.select([self._socket], [], [], left_s)[0]:
                return []
            if ended := self._receive(self._socket):
                return ended

    def close(self) -> None:
        """Close the connection; the next request opens a new one."""
        super().close()
        self._streams = {}
        self._unparsed_bytes = 0

    def _exchange(self, path: bytes, first: int, last: int, reply: Reply) -> Reply:
        self.ask(path, first, last, reply)
        while reply not in self.wait():
            pass
        return reply

    def _open(self) -> _socket.socket:
        sock = super()._open()
        self._h2 = H2Connection(H2Configuration(header_encoding=None))
        self._h2.local_settings = Settings(client=True, initial_values=SETTINGS)
        self._h2.initiate_connection()
        self._h2.increment_flow_control_window(WIDEST_WINDOW_BYTES - FIRST_WINDOW_BYTES)
        return sock

    def _least_bytes(self) -> int:
        """What must come before anything of interest can have happened."""
        least = min((stream.missing_bytes for stream in self._streams.values()), default=0)
        return max(1, min(least - self._unparsed_bytes, WAIT_FOR_BYTES))

    def _receive(self, sock: _socket.socket) -> list[Reply]:
        data = sock.recv(WAIT_FOR_BYTES, _socket.MSG_DONTWAIT)
        now_s = self._clock()
        if not data:
            raise Broken("the server closed the connection")
        self._unparsed_bytes += len(data)
        try:
            events = self._h2.receive_data(data)
            ended = [self._take(event, now_s) for event in events]
        except ProtocolError as error:
            raise Broken(f"no HTTP/2: {error}") from error
        if answer := self._h2.data_to_send():
            sock.sendall(answer, _socket.MSG_NOSIGNAL)
        if not self._streams:
            self._unparsed_bytes = 0
        return [reply for reply in ended if reply]

    def _take(self, event: Event, now_s: float) -> Reply | None:
        """Book an event; the reply if it is the last of one."""
        if isinstance(event, DataReceived):
            stream = self._streams[event.stream_id]
            size = len(event.data)
            stream.reply.received_bytes += size
            if size:
                stream.last_s = now_s
            stream.missing_bytes = max(0, stream.missing_bytes - size)
            self._unparsed_bytes -= event.flow_controlled_length + FRAME_HEADER_BYTES
            self._h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, ResponseReceived):
            stream, fields = self._streams[event.stream_id], dict(event.headers)
            stream.reply.status = int(fields[b":status"])
            stream.reply.first_byte_s = stream.last_s = now_s
            stream.missing_bytes = int(fields.get(b"content-length", 0))
        elif isinstance(event, StreamEnded):
            stream = self._streams.pop(event.stream_id)
            # An empty frame may bring the end later than the last byte.
            stream.reply.last_byte_s = stream.last_s
            return stream.reply
        elif isinstance(event, StreamReset):
            raise Broken(f"the server reset a stream (error {event.error_code})")
        return None
