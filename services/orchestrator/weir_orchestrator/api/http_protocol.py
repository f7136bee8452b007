"""Connections that hold nothing for long: heads of requests have a size and a time, readers a pace.

uvicorn itself waits for ever for the rest of a head, keeps one of any size, waits for ever for
whoever reads no answer, and has as many connections as there are file descriptors: then it accepts
nobody. Of a connection's pipelined requests it tells only the last that the client is gone: each
that is being answered then ends in a traceback.
"""

from __future__ import annotations

import asyncio
import resource
from collections import deque
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

__all__ = ["HEAD_BYTES", "HEAD_S", "MOST_CONNECTIONS", "STUCK_S", "PatientHttp"]

HEAD_S: Final = 10.0
"""From a connection's start, or a request's first byte, until the head has come."""
HEAD_BYTES: Final = 64 * 1024
REST_S: Final = 10.0
"""For the rest of a body whose request is answered already."""
STUCK_S: Final = 60.0
"""For a reader to take what is held back for it, about 64 KiB."""
_OTHER_FILES: Final = 256
"""Descriptors for the database, the store and files."""
_DESCRIPTORS: Final = min(resource.getrlimit(resource.RLIMIT_NOFILE)[0], 8192)
MOST_CONNECTIONS: Final = max(64, _DESCRIPTORS - _OTHER_FILES)
_TOO_LARGE: Final = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-length: 0\r\nconnection: close\r\n\r\n"
)


class PatientHttp(HttpToolsProtocol):
    """One connection. With too many, that one goes whose request has been awaited longest."""

    def __init__(self, *args: Any, awaited: dict[PatientHttp, None], **named: Any) -> None:
        """awaited: shared by all connections of a server, in order of time."""
        super().__init__(*args, **named)
        self._awaited = awaited
        self._in_head = True
        self._in_body = False
        self._head_bytes = 0
        self._deadline: asyncio.TimerHandle | None = None
        self._stuck: asyncio.TimerHandle | None = None
        self._unanswered: deque[RequestResponseCycle] = deque()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await(HEAD_S)
        if len(self.connections) > MOST_CONNECTIONS:
            next(iter(self._awaited)).transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._await_no_more()
        self._reader_takes()
        self.pipeline.clear()
        for cycle in self._unanswered:
            cycle.disconnected = True
            cycle.message_event.set()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._head_bytes += len(data)
        if self._in_head and self._deadline is None:
            self._await(HEAD_S)
        super().data_received(data)
        if self._in_head and self._head_bytes > HEAD_BYTES and not self.transport.is_closing():
            self.transport.write(_TOO_LARGE)
            self.transport.close()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head, self._head_bytes = True, 0
        self._await(HEAD_S)

    def on_headers_complete(self) -> None:
        # How long a body may take is the application's to say (weir_orchestrator.api.admission).
        self._in_head, self._in_body = False, True
        self._await(None)
        super().on_headers_complete()
        self._unanswered.append(self.cycle)

    def on_message_complete(self) -> None:
        self._in_body = False
        self._await_no_more()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self._unanswered.popleft()
        super().on_response_complete()
        if not self.pipeline:
            self._in_head, self._head_bytes = not self._in_body, 0
            # Between requests uvicorn's own time for idle connections holds.
            self._await(REST_S if self._in_body else None)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stuck = self.loop.call_later(STUCK_S, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._reader_takes()

    def _await(self, for_s: float | None) -> None:
        """The client is to send something; at most for so long."""
        self._await_no_more()
        self._awaited[self] = None
        if for_s is not None:
            self._deadline = self.loop.call_later(for_s, self.transport.abort)

    def _await_no_more(self) -> None:
        self._awaited.pop(self, None)
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _reader_takes(self) -> None:
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None
