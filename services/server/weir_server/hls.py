"""The film for HLS players: RFC 8216, the segments of mpd.py. Pure.

/master.m3u8, and for each level L /hls/L.m3u8
"""

from __future__ import annotations

import math

__all__ = ["master", "media"]

CODECS = "avc1.640028"
_VERSION = "#EXTM3U\n#EXT-X-VERSION:7\n"  # the first with fragmented MP4 beyond doubt (section 7)


def master(bitrates_bps: list[float], sizes: list[tuple[int, int]]) -> str:
    """The playlist of all levels (section 4.3.4)."""
    levels = "".join(
        f"#EXT-X-STREAM-INF:BANDWIDTH={round(rate_bps)},RESOLUTION={width}x{height}"
        f',CODECS="{CODECS}",FRAME-RATE=25.000\nhls/{level}.m3u8\n'
        for level, (rate_bps, (width, height)) in enumerate(zip(bitrates_bps, sizes, strict=True))
    )
    return f"{_VERSION}#EXT-X-INDEPENDENT-SEGMENTS\n{levels}"


def media(level: int, segment_s: float, segments: int) -> str:
    """The playlist of one level (section 4.3.3)."""
    each = "".join(
        f"#EXTINF:{segment_s:.3f},\n../dash/{level}/{number}.m4s\n" for number in range(segments)
    )
    return (
        f"{_VERSION}#EXT-X-TARGETDURATION:{max(1, math.floor(segment_s + 0.5))}\n"
        "#EXT-X-PLAYLIST-TYPE:VOD\n"
        f'#EXT-X-MAP:URI="../dash/{level}/init.mp4"\n{each}#EXT-X-ENDLIST\n'
    )
