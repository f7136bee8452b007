"""The live origin, behind the web server: media segments on a Unix socket, as they are made.

An answer (HTTP/1.0) ends with its connection, so that what is still to be made needs no length; to
clients the web server sends it on in chunks (RFC 9112, section 7.1) as it comes.
"""

from __future__ import annotations

import _socket  # `socket` imports selectors and enum, and wraps each call
import os
import select
from time import monotonic

from weir_server import live

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weir_server.live import Chunk
    from weir_server.mpd import Film

SOCKET = "/run/origin"
ASKED_BYTES = 4096
NOT_FOUND = b"HTTP/1.0 404 Not Found\r\nContent-Length: 0\r\n\r\n"
FOUND = b"HTTP/1.0 200 OK\r\nContent-Type: video/mp4\r\n"


def start(film: Film, began_s: float) -> None:
    """Serve in an own process. began_s: on the monotonic clock, when the film's making did."""
    listener = _socket.socket(_socket.AF_UNIX)
    listener.bind(SOCKET)
    os.chmod(SOCKET, 0o666)
    listener.listen(256)
    if os.fork() == 0:
        serve(listener, film, began_s)


def serve(listener: _socket.socket, film: Film, began_s: float) -> None:
    """Answer whoever connects. Does not return."""
    answers: dict[int, Answer] = {}
    while True:
        now_s = monotonic() - began_s
        asking = [fd for fd, each in answers.items() if each.left is None]
        due = {fd: each.due_s for fd, each in answers.items() if each.left is not None}
        later = [due_s - now_s for due_s in due.values() if due_s > now_s]
        readable, writable, _ = select.select(
            [listener.fileno(), *asking],
            [fd for fd, due_s in due.items() if due_s <= now_s],
            [],
            min(later, default=None),
        )
        now_s = monotonic() - began_s
        for fd in (*readable, *writable):
            if fd == listener.fileno():
                new, _ = listener._accept()  # type: ignore[attr-defined]  # `socket` wraps it
                answers[new] = Answer(new)
            elif not answers[fd].go_on(film, now_s):
                answers.pop(fd).socket.close()


class Answer:
    """A connection. left: chunks to send, the last one first; None: nothing was asked yet."""

    def __init__(self, fd: int) -> None:
        self.socket = _socket.socket(fileno=fd)
        self.socket.setblocking(False)
        self.asked = b""
        self.left: list[Chunk] | None = None
        self.sending = memoryview(b"")

    @property
    def due_s(self) -> float:
        """When something can be sent."""
        return self.left[-1][0] if self.left and not self.sending else 0.0

    def go_on(self, film: Film, now_s: float) -> bool:
        """Take what was asked, or send what is due. Whether there is more to come."""
        try:
            if self.left is None:
                return self._ask(film, now_s)
            return self._send(now_s)
        except OSError:
            return False  # whoever asked is gone

    def _ask(self, film: Film, now_s: float) -> bool:
        came = self.socket.recv(ASKED_BYTES)
        self.asked += came
        if b"\r\n\r\n" not in self.asked:
            return bool(came)
        found = live.named(self.asked.split(b" ")[1].decode("latin-1"))
        chunks = live.chunks(film, *found, now_s) if found else []
        head = NOT_FOUND
        if chunks:
            whole = chunks[-1][0] <= now_s
            size = sum(len(header) + data_bytes for _, header, data_bytes in chunks)
            head = FOUND + (b"Content-Length: %d\r\n" % size if whole else b"") + b"\r\n"
        self.left = chunks[::-1]
        self.sending = memoryview(head)
        return self._send(now_s)

    def _send(self, now_s: float) -> bool:
        while True:
            if not self.sending:
                if not self.left:
                    return False
                if self.due_s > now_s:
                    return True
                _, header, data_bytes = self.left.pop()
                self.sending = memoryview(header + bytes(data_bytes))
            try:
                self.sending = self.sending[self.socket.send(self.sending) :]
            except BlockingIOError:
                return True
