"""When media segments of a live film are there, and what they are made of. Pure.

Second 0 is when the film's making began. Segment n (from 0) holds the film from n segments on, and
each of its chunks is there once its end has come (DASH-IF IOP v5, part 4).
"""

from __future__ import annotations

from weir_server import fmp4

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weir_server.mpd import Film

__all__ = ["Chunk", "chunks", "named"]

Chunk = tuple[float, bytes, int]
"""When it is there, its headers, and how many bytes of media data follow them."""


def named(path: str) -> tuple[int, int] | None:
    """(level, segment) of a media segment's path, as weir_server.mpd names it; what a query says,
    such as a player's CMCD, is left aside.
    """
    path = path.partition("?")[0]
    parts = path.removesuffix(".m4s").split("/")
    if len(parts) != 4 or parts[:2] != ["", "dash"] or not path.endswith(".m4s"):
        return None
    level, segment = parts[2:]
    return (int(level), int(segment)) if level.isdecimal() and segment.isdecimal() else None


def chunks(film: Film, level: int, segment: int, now_s: float) -> list[Chunk]:
    """Of a segment; none where it cannot be fetched now: no chunk is there yet, it has left the
    time-shift buffer, or the film does not have it.
    """
    segment_s, live = film["segment_s"], film["live"]
    if level >= len(film["segment_bytes"]) or segment >= len(film["segment_bytes"][level]):
        return []
    count = round(segment_s / live["chunk_s"])
    length_s = segment_s / count
    first_s = segment * segment_s + length_s
    # Section 5.3.9.5.3 of ISO/IEC 23009-1: until its end and its length after that have left it.
    last_s = (segment + 2) * segment_s + live["time_shift_buffer_s"]
    if not first_s <= now_s <= last_s:
        return []
    each, more = divmod(film["segment_bytes"][level][segment], count)
    sizes = [each + (index < more) for index in range(count)]
    headers = fmp4.chunk_headers(segment, segment_s, sizes)
    return [
        (first_s + index * length_s, header, size - len(header))
        for index, (header, size) in enumerate(zip(headers, sizes, strict=True))
    ]
