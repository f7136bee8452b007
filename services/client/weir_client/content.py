"""Where each segment of each level lies in the server's files.

The server holds one file per level, `/level-<L>`, with the whole film: segment i of constant
rate content has round(bitrate * segment_s / 8) bytes; variable content has a table of sizes.
"""

from __future__ import annotations

from weir_client.errors import ContentError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weir.resolved_film import Content as Film


class Content:
    """The ladder (bit/s, ascending) and the byte ranges of its segments."""

    __slots__ = ("_constant", "_offsets", "_sizes", "bitrates_bps", "segment_s", "segments")

    def __init__(self, content: Film) -> None:
        self.bitrates_bps = tuple(content["bitrates_bps"])
        self.segment_s = content["segment_s"]
        self.segments = content["segments"]  # None: endless
        self._sizes = content["sizes_bytes"]
        self._constant = [round(rate * self.segment_s / 8) for rate in self.bitrates_bps]
        self._offsets: list[list[int]] = []
        if not self.bitrates_bps:
            raise ContentError("content.bitrates_bps is empty: give at least one level")
        if self._sizes is not None:
            shortest = min(len(sizes) for sizes in self._sizes)
            self.segments = shortest if self.segments is None else min(self.segments, shortest)
            for sizes in self._sizes:
                offsets, at = [], 0
                for size in sizes:
                    offsets.append(at)
                    at += size
                self._offsets.append(offsets)

    def size_of(self, level: int, segment: int) -> int:
        """Size in bytes of a segment, also of one to come."""
        return self._constant[level] if self._sizes is None else self._sizes[level][segment]

    def range_of(self, level: int, segment: int) -> tuple[int, int]:
        """First and last byte (both included) of a segment in its level's file."""
        size = self.size_of(level, segment)
        first = segment * size if self._sizes is None else self._offsets[level][segment]
        return first, first + size - 1
