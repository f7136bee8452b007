"""The film of a resolved experiment (weir.resolved)."""

from __future__ import annotations

from typing import NotRequired, TypedDict

__all__ = ["Content", "Live"]


class Live(TypedDict):
    """A film that is made while it is watched. time_shift_buffer_s: a segment can be fetched for so
    long, and the film's making began so long before second 0. chunk_s: as soon as so much of a
    segment is made, it can be fetched; the segment's length: whole ones alone. The rest is what
    players are told: the latency that they are to have, the most they are to bear (None: that is
    theirs to say), and the playback rates by which they get there.
    """

    target_latency_s: float
    max_latency_s: float | None
    min_playback_rate: float
    max_playback_rate: float
    chunk_s: float
    time_shift_buffer_s: float


class Content(TypedDict):
    """One film. `segments` None: endless. `sizes_bytes`: [level][segment], None: constant rate.

    live: where it is made while it is watched.
    """

    bitrates_bps: list[float]
    segment_s: float
    segments: int | None
    sizes_bytes: list[list[int]] | None
    live: NotRequired[Live]
