"""The emulated player: it chooses, downloads and plays, but decodes nothing.

Buffering state: the next segment is asked for at once. Steady state: the buffer is full, that is,
another segment would not fit into `buffer_s`; a segment is asked for when there is room for it,
so one per segment duration (Ben Ameur et al. 2018, section 3.2). A download slower than playback
makes room by itself and leads back to buffering.

Live: segment n is there n + 1 segments after the start, and is asked for no sooner. A player that
stalled is so much behind, and finds as many more segments there.

A level that the experiment decided for a segment is played in place of the one that was chosen.

A broken connection is opened again and the segment asked for again RETRY_S later; each attempt
leaves a row. A download that the stop time cuts off leaves a row with status 0.
"""

from __future__ import annotations

from time import monotonic, sleep

from weir_client import deadline
from weir_client.buffer import PlaybackBuffer
from weir_client.errors import AbrError, ServerError, TimeIsUp
from weir_client.http import Broken, Connection, Reply
from weir_client.state import Download, State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from weir_client.abr import Abr
    from weir_client.content import Content

NAN = float("nan")
WHOLE = 206
RETRY_S = 1.0  # dash.js retryIntervals.MediaSegment
REFUSALS = 3  # dash.js retryAttempts.MediaSegment


class Player:
    """One client's session. Times are seconds since the experiment's start."""

    def __init__(
        self, abr: Abr, content: Content, connection: Connection, clock: Callable[[], float], *,
        buffer_max_s: float, startup_s: float, resume_s: float, live: bool,
        random: Callable[[], float], label: str, rows: list[tuple[float, ...]],
        decisions: dict[int, int],
    ) -> None:  # fmt: skip
        self._abr = abr
        self._decisions = decisions  # segment -> level, in place of the ABR's
        self._content = content
        self._connection = connection
        self._clock = clock
        self._label = label
        self._live = live
        # Playback that waited for more than fits would wait for ever.
        self._full_s = max(0.0, buffer_max_s - content.segment_s)
        self._buffer = PlaybackBuffer(
            0.0, min(startup_s, self._full_s), min(resume_s, self._full_s)
        )
        self._state = State(
            buffer_max_s, content.segment_s, content.size_of, random, content.segments
        )
        self._stall_logged_s = 0.0
        self._pending: tuple[int, int, float] | None = None  # segment, level, estimate
        self.rows = rows  # as in weir_client.rows.COLUMNS

    def play(self, start_s: float, end_s: float) -> None:
        """Play from start_s, which is now, until end_s or until the last segment has come.

        Raises AbrError, ServerError. Needs the main thread (deadline.arm).
        """
        try:
            deadline.arm(end_s - self._clock())
            self._buffer.now_s = start_s
            self._run(start_s, end_s)
        except TimeIsUp:
            self._cut_off(end_s)
        finally:
            deadline.disarm()
            self._connection.close()

    def _run(self, start_s: float, end_s: float) -> None:
        now, segment, refused = start_s, 0, 0
        while self._content.segments is None or segment < self._content.segments:
            wait = self._buffer.level_s - self._full_s
            if self._live:
                wait = max(wait, start_s + (segment + 1) * self._content.segment_s - now)
            if wait > 0:
                sleep(wait)
                now += wait
                self._buffer.advance(now)
            if now >= end_s:
                return
            level = self._choose(now, segment)
            if (delay := self._delay_s(segment)) > 0:
                sleep(delay)
            reply = self._fetch(segment, level)
            now = reply.last_byte_s
            if reply.status == WHOLE:
                self._state.previous_level = level
                segment, refused = segment + 1, 0
                continue
            refused = refused + 1 if reply.status else 0
            if refused == REFUSALS:
                raise self._refused(segment, level, reply)
            sleep(RETRY_S)
            now += RETRY_S
            self._buffer.advance(now)

    def _choose(self, now: float, segment: int) -> int:
        state, buffer = self._state, self._buffer
        state.now_s, state.segment = now, segment
        state.buffer_s, state.playing = buffer.level_s, buffer.playing
        state.stalled_s = buffer.stalled_s
        level = self._abr.choose(state)
        top = len(self._content.bitrates_bps) - 1
        if type(level) is not int or not 0 <= level <= top:
            raise AbrError(
                f"{self._label}: choose for segment {segment} returned {level!r}; "
                f"it must return a level, a whole number from 0 to {top}"
            )
        # The ABR was asked all the same, so that what it keeps and draws is as without decisions.
        return self._decisions.get(segment, level)

    def _delay_s(self, segment: int) -> float:
        """How long the ABR waits before it asks for the segment that it has just chosen."""
        if not hasattr(self._abr, "delay_s"):
            return 0.0
        delay: float = self._abr.delay_s(self._state)
        if type(delay) not in (int, float) or not 0 <= delay < float("inf"):
            raise AbrError(
                f"{self._label}: delay_s for segment {segment} returned {delay!r}; "
                "it must return a number of seconds, 0 or more"
            )
        return delay

    def _estimate_bps(self) -> float:
        estimate: float | None = getattr(self._abr, "estimate_bps", None)
        return NAN if estimate is None else estimate

    def _fetch(self, segment: int, level: int) -> Reply:
        self._pending = (segment, level, self._estimate_bps())
        first, last = self._content.range_of(level, segment)
        try:
            reply = self._connection.get(b"/level-%d" % level, first, last)
            self._require_whole(segment, level, reply)
        except (Broken, OSError):
            reply = self._connection.reply  # type: ignore[assignment]  # get() has set it
            reply.status, reply.last_byte_s = 0, self._clock()
        self._log(reply)
        return reply

    def _require_whole(self, segment: int, level: int, reply: Reply) -> None:
        size = self._content.size_of(level, segment)
        if reply.status == WHOLE and reply.received_bytes != size:
            raise ServerError(
                f"{self._label}: the server sent {reply.received_bytes} bytes for segment "
                f"{segment} of /level-{level}, which has {size}"
            )

    def _refused(self, segment: int, level: int, reply: Reply) -> ServerError:
        return ServerError(
            f"{self._label}: the server answered {reply.status} to {REFUSALS} requests for "
            f"segment {segment} of /level-{level}; its log says why"
        )

    def _cut_off(self, end_s: float) -> None:
        """Book the download that runs when the time is up."""
        reply = self._connection.reply
        if self._pending is None or reply is None:
            return
        if self.rows and self.rows[-1][4] == reply.request_s:
            return  # the time was up while its row was written
        if reply.last_byte_s != reply.last_byte_s:  # nan: cut off
            # The moment is known; reading the clock would add the signal's way here.
            reply.status, reply.last_byte_s = 0, end_s
        self._log(reply)

    def _log(self, reply: Reply) -> None:
        """Book what came and write its row."""
        assert self._pending is not None
        segment, level, estimate = self._pending
        self._buffer.advance(reply.request_s)
        self._book(segment, level, estimate, self._buffered_s(), reply)
        self._pending = None

    def _book(self, segment: int, level: int, estimate: float, before: float, reply: Reply) -> None:
        """Write a row. before: media in the buffer when the segment was asked for."""
        buffer, state = self._buffer, self._state
        buffer.advance(reply.last_byte_s)
        stall = buffer.stalled_s - self._stall_logged_s
        self._stall_logged_s = buffer.stalled_s
        if reply.status == WHOLE:
            self._add(segment)
            state.last = Download(
                segment, level, reply.received_bytes, request_s=reply.request_s,
                first_byte_s=reply.first_byte_s, last_byte_s=reply.last_byte_s,
            )  # fmt: skip
            state.history.append(state.last)
        took = reply.last_byte_s - reply.request_s
        raw = reply.received_bytes * 8 / took if took > 0 else NAN
        self.rows.append((
            segment, level, self._content.bitrates_bps[level], reply.received_bytes,
            reply.request_s, reply.first_byte_s, reply.last_byte_s, before, self._buffered_s(),
            stall, raw, estimate, reply.port, reply.status,
        ))  # fmt: skip

    def _buffered_s(self) -> float:
        """Media that has come and was not played."""
        return self._buffer.level_s

    def _add(self, segment: int) -> None:
        """Put a segment that has come into the buffer."""
        self._buffer.add(self._content.segment_s)


def clock_from(epoch_s: float) -> Callable[[], float]:
    """A clock that shows seconds since epoch_s of the monotonic clock."""
    return lambda: monotonic() - epoch_s
