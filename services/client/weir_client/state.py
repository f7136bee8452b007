"""What an ABR may know when it chooses a level."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Download:
    """A segment that came whole. Times in seconds since the experiment's start."""

    __slots__ = (
        "bytes", "first_byte_s", "last_byte_s", "level", "request_s", "segment",
    )  # fmt: skip

    def __init__(
        self, segment: int, level: int, size_bytes: int, *,
        request_s: float, first_byte_s: float, last_byte_s: float,
    ) -> None:  # fmt: skip
        self.segment = segment
        self.level = level
        self.bytes = size_bytes
        self.request_s = request_s
        self.first_byte_s = first_byte_s
        self.last_byte_s = last_byte_s


class State:
    """The player at the moment of a choice; one object, refreshed for each segment."""

    __slots__ = (
        "buffer_max_s", "buffer_s", "history", "last", "now_s", "playing", "previous_level",
        "random", "segment", "segment_s", "segments", "size_of", "stalled_s",
    )  # fmt: skip

    def __init__(
        self,
        buffer_max_s: float,
        segment_s: float,
        size_of: Callable[[int, int], int],
        random: Callable[[], float],
        segments: int | None = None,
    ) -> None:
        self.now_s = 0.0  # since the experiment's start
        self.segment = 0  # the one to choose a level for, 0-based
        self.buffer_s = 0.0
        self.buffer_max_s = buffer_max_s
        self.segment_s = segment_s
        self.segments = segments  # of the film; None: endless
        self.playing = False  # False before the start and in a stall
        self.stalled_s = 0.0  # all stalls so far
        self.previous_level = -1  # -1: this is the first segment
        self.last: Download | None = None
        self.history: list[Download] = []  # oldest first; `last` is its last
        self.size_of = size_of  # size_of(level, segment) -> bytes, coming segments too
        self.random = random  # random() -> [0, 1), seeded by the run and the client
