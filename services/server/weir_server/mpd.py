"""The film as a DASH presentation: ISO/IEC 23009-1, on-demand with one file for each segment. Pure.

/manifest.mpd, and for each level L /dash/L/init.mp4 and /dash/L/0.m4s, /dash/L/1.m4s, ...
"""

from __future__ import annotations

import math
from typing import TypedDict

from weir.programs import buffer_most_s, in_browser
from weir.resolved import Experiment

from weir_server import hls
from weir_server.fmp4 import TIMESCALE

__all__ = ["Film", "film", "manifest"]

# Widths and heights from the lowest level on; the last one is that of all above.
_SIZES = ((320, 180), (480, 270), (640, 360), (960, 540), (1280, 720), (1920, 1080), (3840, 2160))


class Film(TypedDict):
    """Of `weir_server.dash.write`. playlists: HLS's by their path; none where nobody asks for
    them. sizes: of each level's pictures. segment_bytes: [level][segment], as far as a player gets.
    """

    manifest: str
    playlists: dict[str, str]
    segment_s: float
    sizes: list[tuple[int, int]]
    segment_bytes: list[list[int]]


def film(experiment: Experiment) -> Film | None:
    """What the server offers for players in a browser; None where none plays."""
    asking = [client for client in experiment["clients"] if in_browser(client)]
    if not asking:
        return None
    content = experiment["content"]
    segment_s, tables = content["segment_s"], content["sizes_bytes"]
    reach_s = experiment["duration_s"] + max(buffer_most_s(client) for client in asking)
    reach = math.ceil(reach_s / segment_s) + 1
    whole = content["segments"] or (len(tables[0]) if tables else reach)
    count = min(whole, reach)
    rates_bps = content["bitrates_bps"]
    sizes = [_SIZES[min(level, len(_SIZES) - 1)] for level in range(len(rates_bps))]
    playlists: dict[str, str] = {}
    if any(client["player"] == "hlsjs" or "package" in client for client in asking):
        playlists["master.m3u8"] = hls.master(rates_bps, sizes)
        for level in range(len(rates_bps)):
            playlists[f"hls/{level}.m3u8"] = hls.media(level, segment_s, whole)
    return {
        "manifest": manifest(rates_bps, segment_s, whole),
        "playlists": playlists,
        "segment_s": segment_s,
        "sizes": sizes,
        "segment_bytes": [
            tables[level][:count] if tables else [round(rate_bps * segment_s / 8)] * count
            for level, rate_bps in enumerate(rates_bps)
        ],
    }


def manifest(bitrates_bps: list[float], segment_s: float, segments: int) -> str:
    """The media presentation description."""
    levels = "".join(
        f'<Representation id="{level}" bandwidth="{round(rate_bps)}"'
        f' width="{width}" height="{height}"/>'
        for level, rate_bps in enumerate(bitrates_bps)
        for width, height in [_SIZES[min(level, len(_SIZES) - 1)]]
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>'
        '<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"'
        ' profiles="urn:mpeg:dash:profile:isoff-live:2011"'
        f' minBufferTime="PT{segment_s:g}S"'
        f' mediaPresentationDuration="PT{segments * segment_s:.3f}S">'
        '<Period id="0" start="PT0S"><AdaptationSet id="0" contentType="video"'
        ' mimeType="video/mp4" codecs="avc1.640028" frameRate="25" segmentAlignment="true"'
        ' startWithSAP="1">'
        f'<SegmentTemplate timescale="{TIMESCALE}" duration="{round(segment_s * TIMESCALE)}"'
        ' startNumber="0" initialization="dash/$RepresentationID$/init.mp4"'
        ' media="dash/$RepresentationID$/$Number$.m4s"/>'
        f"{levels}</AdaptationSet></Period></MPD>"
    )
