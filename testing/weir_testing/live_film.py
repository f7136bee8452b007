"""A live film, as experiments that are resolved have it, for tests."""

from __future__ import annotations

from typing import Any, Final

from weir.records import EventRecord

from weir_testing.cells import BASE

__all__ = ["LIVE", "content", "played"]

LIVE: Final = {
    "target_latency_s": 3.0,
    "max_latency_s": None,
    "min_playback_rate": 0.96,
    "max_playback_rate": 1.04,
    "chunk_s": 0.5,
    "time_shift_buffer_s": 30.0,
}


def content(**changes: Any) -> dict[str, Any]:
    """BASE's film, in segments of 2 s, made while it is watched; changes are to LIVE."""
    return {**BASE["content"], "live": {**LIVE, **changes}}


def played(*changes: tuple[float, float, float]) -> list[EventRecord]:
    """Events of client 1's playback; changes: (t_s, media_s, speed). Half a second is ahead."""
    return [
        {
            "t_s": t_s,
            "event": "playback",
            "client": 1,
            "media_s": media_s,
            "speed": speed,
            "buffer_s": 0.5,
        }
        for t_s, media_s, speed in changes
    ]
