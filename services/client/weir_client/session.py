"""A session: a film fetched as it comes, with a deadline for each byte, or without.

A film in store is asked for at once. What is released at a rate (a live stream, a source with a
cap) is asked for as it comes to be, all that is there by then, so that a session that is behind
asks for more and more at once.

Lateness is exact to TOLERANCE_S, by few system calls: with byte b the next to come, nothing is late
before d(b), so the reader sleeps until then, or until much has come. Once it is late, it looks
every LATE_LOOK_S.
"""

from __future__ import annotations

from weir_client.errors import ServerError, TimeIsUp
from weir_client.http import Broken, Connection
from weir_client.player import NAN, REFUSALS, RETRY_S, WHOLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from weir.resolved import Client

TOLERANCE_S = 5e-3  # poll() ends a millisecond or two after the time that it is given
LATE_LOOK_S = 0.02


class FirstLateByte(Exception):
    """A byte was late, and the experiment is to end with the first."""


class Session:
    """One session; it watches its connection (http.Watch). Times are s since the experiment's
    start."""

    def __init__(
        self, client: Client, path: bytes, connection: Connection, *,
        clock: Callable[[], float], wait_until: Callable[[float], None], label: str,
        stop_when_late: bool, rows: list[tuple[float, ...]],
    ) -> None:  # fmt: skip
        film, told = client["film"], client.get("deadlines")
        assert film["segments"] is not None
        self._path, self._connection, self._label = path, connection, label
        self._clock, self._wait_until = clock, wait_until
        self._stop_when_late = stop_when_late
        (self._rate_bps,) = film["bitrates_bps"]
        self._segment_s = film["segment_s"]
        self._segment_bytes = round(self._rate_bps * self._segment_s / 8)
        self._film_bytes = film["segments"] * self._segment_bytes
        self._released_s = client.get("released_s")
        self._begin_s = None if told is None else client["start_s"] + told["after_s"]
        self._first = self._come = self._in_rows = 0  # bytes: of the request, so far
        connection.watch = self
        self._looked_s = self._stall_s = self._before_s = 0.0
        self.rows = rows  # as in weir_client.rows.COLUMNS

    def play(self) -> None:
        """Fetch the film from now on until all of it is here, or TimeIsUp.

        Raises ServerError, FirstLateByte. deadline must be armed.
        """
        refused = 0
        try:
            while self._come < self._film_bytes:
                last = self._released() - 1
                self._first, self._before_s = self._come, self._margin_s(self._clock())
                try:
                    reply = self._connection.get(self._path, self._first, last)
                except (Broken, OSError):
                    self._wait_until(self._clock() + RETRY_S)
                    continue
                if reply.status == WHOLE:
                    continue
                refused += 1
                if refused == REFUSALS:
                    raise ServerError(
                        f"{self._label}: the server answered {reply.status} to {REFUSALS} requests "
                        f"for {self._path.decode()}; its log says why"
                    )
        except (TimeIsUp, FirstLateByte):
            if self._connection.reply is not None:
                self._row(0, self._come - self._in_rows, self._clock())
            raise
        finally:
            self._connection.close()

    def until_s(self) -> float:
        """When the next byte is due; while it is late, in a moment."""
        if self._begin_s is None:
            return self._looked_s + 3600.0
        return max(self._due_s(self._come), self._looked_s + LATE_LOOK_S)

    def came(self, received_bytes: int) -> None:
        """Note what is late, and give a row to each segment that is whole."""
        now = self._clock()
        if self._begin_s is not None:
            late_s = now - max(self._due_s(self._come), self._looked_s)
            if now - self._due_s(self._come) > TOLERANCE_S:
                self._stall_s += late_s
        self._looked_s = now
        self._come = self._first + received_bytes
        while self._come - self._in_rows >= self._segment_bytes:
            self._row(WHOLE, self._segment_bytes, now)
            self._in_rows += self._segment_bytes
        if self._stop_when_late and (self._stall_s or any(row[9] for row in self.rows[-1:])):
            raise FirstLateByte

    def _due_s(self, byte: int) -> float:
        assert self._begin_s is not None
        return self._begin_s + byte / self._segment_bytes * self._segment_s

    def _margin_s(self, now_s: float) -> float:
        """Of the next byte to come: film that is here and not due; 0 without deadlines."""
        return 0.0 if self._begin_s is None else max(0.0, self._due_s(self._come) - now_s)

    def _released(self) -> int:
        """How many bytes of the film there are; waits where all of them are here already."""
        if self._released_s is None:
            return self._film_bytes
        missing = self._come // self._segment_bytes + 1
        self._wait_until(self._released_s + missing * self._segment_s)
        there = int((self._clock() - self._released_s) / self._segment_s + 1e-9)
        return min(self._film_bytes, max(missing, there) * self._segment_bytes)

    def _row(self, status: int, size_bytes: int, now_s: float) -> None:
        reply = self._connection.reply
        assert reply is not None
        self.rows.append((
            self._in_rows // self._segment_bytes, 0, self._rate_bps, size_bytes, reply.request_s,
            reply.first_byte_s, now_s, self._before_s, self._margin_s(now_s), self._stall_s, NAN,
            NAN, reply.port, status,
        ))  # fmt: skip
        self._stall_s = 0.0
