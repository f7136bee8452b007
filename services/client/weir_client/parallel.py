"""The emulated player with several segments in flight, each in a stream of one connection.

As player.py, but the next segment is asked for while earlier ones are on their way: as long as
fewer than `in_flight` are, and the buffer will have room for all that was asked for. The server
shares the connection among the streams, so a later segment may come first. It is played, and the
ABR sees it in the buffer, once all before it are there; its row counts it at once.

When the connection breaks or the server refuses, all that is in flight is given up and, RETRY_S
later, asked for again.
"""

from __future__ import annotations

from time import sleep

from weir_client.http import Broken, Reply
from weir_client.player import REFUSALS, RETRY_S, WHOLE, Player

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from weir_client.abr import Abr
    from weir_client.content import Content
    from weir_client.http2 import Connection

NEVER = float("inf")


class Request:
    """A segment in flight. before_s: media in the buffer when it was asked for."""

    __slots__ = ("before_s", "estimate_bps", "level", "reply", "segment")

    def __init__(
        self, segment: int, level: int, estimate_bps: float, before_s: float, reply: Reply
    ) -> None:
        self.segment = segment
        self.level = level
        self.estimate_bps = estimate_bps
        self.before_s = before_s
        self.reply = reply


class ParallelPlayer(Player):
    """One client's session. Times are seconds since the experiment's start."""

    def __init__(
        self, abr: Abr, content: Content, connection: Connection, clock: Callable[[], float], *,
        in_flight: int, **settings: Any,
    ) -> None:  # fmt: skip
        super().__init__(abr, content, connection, clock, **settings)
        self._streams = connection
        self._in_flight = in_flight
        self._asked: list[Request] = []
        self._chosen: tuple[int, float] | None = None  # level, and when to ask for it
        self._levels: dict[int, int] = {}  # by segment
        self._ahead: set[int] = set()  # segments that came before one that they follow
        self._playable = 0  # the first segment that is not in the buffer
        self._refusals = 0

    def play(self, start_s: float, end_s: float) -> None:
        """As Player's; the rows are in the order of the requests."""
        super().play(start_s, end_s)
        self.rows.sort(key=lambda row: (row[4], row[0]))  # request_s, segment

    def _run(self, now: float, end_s: float) -> None:
        while now < end_s and (self._asked or self._next() is not None):
            try:
                now = self._step(now)
            except (Broken, OSError):
                now = self._give_up(self._clock())
            self._buffer.advance(now)

    def _step(self, now: float) -> float:
        """Choose, ask or wait, whatever comes next; the time after it."""
        segment = self._next()
        if segment is not None and self._chosen is None and self._room_at(now, segment) <= now:
            self._state.previous_level = self._levels.get(segment - 1, -1)
            self._levels[segment] = level = self._choose(now, segment)
            self._chosen = level, now + self._delay_s(segment)
        asks_at_s = NEVER
        if segment is not None:
            asks_at_s = self._chosen[1] if self._chosen else self._room_at(now, segment)
        if segment is not None and self._chosen and asks_at_s <= now:
            self._ask(segment, self._chosen[0])
            self._chosen = None
            return now
        if not self._asked:
            sleep(asks_at_s - now)
            return asks_at_s
        ended = self._streams.wait(None if asks_at_s == NEVER else asks_at_s)
        return self._end(ended) if ended else asks_at_s

    def _next(self) -> int | None:
        """The segment to ask for next; None when all of the film was."""
        segment = self._playable
        there = self._ahead.union(asked.segment for asked in self._asked)
        while segment in there:
            segment += 1
        segments = self._content.segments
        return segment if segments is None or segment < segments else None

    def _room_at(self, now: float, segment: int) -> float:
        """When there is room for the segment; NEVER: not before another one has come."""
        if len(self._asked) >= self._in_flight:
            return NEVER
        ahead_s = (segment - self._playable) * self._content.segment_s
        over_s = self._buffer.level_s + ahead_s - self._full_s
        if over_s <= 0:
            return now
        plays = self._buffer.playing and over_s <= self._buffer.level_s
        return now + over_s if plays else NEVER

    def _ask(self, segment: int, level: int) -> None:
        first, last = self._content.range_of(level, segment)
        estimate_bps, before_s = self._estimate_bps(), self._buffered_s()
        reply = self._streams.new_reply()
        self._asked.append(Request(segment, level, estimate_bps, before_s, reply))
        self._streams.ask(b"/level-%d" % level, first, last, reply)

    def _end(self, ended: list[Reply]) -> float:
        """Book replies that have ended; the time after them."""
        done = [asked for asked in self._asked if asked.reply in ended]
        for asked in done:
            self._require_whole(asked.segment, asked.level, asked.reply)
            self._close(asked)
        now = max(reply.last_byte_s for reply in ended)
        refused = [asked for asked in done if asked.reply.status != WHOLE]
        if not refused:
            self._refusals = 0
            return now
        self._refusals += 1
        if self._refusals == REFUSALS:
            raise self._refused(refused[0].segment, refused[0].level, refused[0].reply)
        return self._give_up(now)

    def _give_up(self, now: float) -> float:
        """Break off what is in flight and wait before anything is asked for again."""
        self._cut_off(now)
        self._streams.close()
        self._chosen = None
        sleep(RETRY_S)
        return now + RETRY_S

    def _cut_off(self, end_s: float) -> None:
        """Book all that is in flight as ended then."""
        for asked in list(self._asked):
            if asked.reply.last_byte_s != asked.reply.last_byte_s:  # nan: it runs
                asked.reply.status, asked.reply.last_byte_s = 0, end_s
            self._close(asked)

    def _close(self, asked: Request) -> None:
        self._asked.remove(asked)
        self._book(asked.segment, asked.level, asked.estimate_bps, asked.before_s, asked.reply)

    def _buffered_s(self) -> float:
        return super()._buffered_s() + len(self._ahead) * self._content.segment_s

    def _add(self, segment: int) -> None:
        self._ahead.add(segment)
        while self._playable in self._ahead:
            self._ahead.remove(self._playable)
            self._playable += 1
            super()._add(segment)
