"""The film as a DASH presentation: ISO/IEC 23009-1. Pure.

On-demand it has one file for each segment; of a live one segments are as live.py has them.

/manifest.mpd, and for each level L /dash/L/init.mp4 and /dash/L/0.m4s, /dash/L/1.m4s, ...
"""

from __future__ import annotations

import math
from typing import Literal, NotRequired, TypedDict

from weir.programs import buffer_most_s, has_chromium, in_browser
from weir.resolved import Experiment
from weir.resolved_film import Content, Live

from weir_server import h264, hls
from weir_server.began import BEGAN
from weir_server.fmp4 import FRAMES_PER_S, TIMESCALE, samples

__all__ = ["Film", "film", "live_manifest", "manifest", "memory_bytes"]

_PAGE_BYTES = 4096
# Widths and heights from the lowest level on; the last one is that of all above.
_SIZES = ((320, 180), (480, 270), (640, 360), (960, 540), (1280, 720), (1920, 1080), (3840, 2160))


class Film(TypedDict):
    """Of `weir_server.dash.write`. playlists: HLS's by their path; none where nobody asks for
    them. sizes: of each level's pictures. segment_bytes: [level][segment], as far as a player gets.
    decodes: there are pictures in it, since a client is a browser itself.
    live: where it is made while it is watched; its manifest has to be told since when.
    """

    manifest: str
    playlists: dict[str, str]
    segment_s: float
    sizes: list[tuple[int, int]]
    segment_bytes: list[list[int]]
    decodes: NotRequired[Literal[True]]
    live: NotRequired[Live]


def film(experiment: Experiment) -> Film | None:
    """What the server offers for players in a browser; None where none plays."""
    asking = [client for client in experiment["clients"] if in_browser(client)]
    if not asking:
        return None
    content = experiment["content"]
    if "live" in content:
        return _live(content, content["live"], experiment["duration_s"])
    segment_s, tables = content["segment_s"], content["sizes_bytes"]
    reach_s = experiment["duration_s"] + max(buffer_most_s(client) for client in asking)
    reach = math.ceil(reach_s / segment_s) + 1
    whole = content["segments"] or (len(tables[0]) if tables else reach)
    count = min(whole, reach)
    rates_bps = content["bitrates_bps"]
    sizes = _sizes(len(rates_bps))
    playlists: dict[str, str] = {}
    if any(client["player"] == "hlsjs" or "package" in client for client in asking):
        playlists["master.m3u8"] = hls.master(rates_bps, sizes)
        for level in range(len(rates_bps)):
            playlists[f"hls/{level}.m3u8"] = hls.media(level, segment_s, whole)
    made: Film = {
        "manifest": manifest(rates_bps, segment_s, whole),
        "playlists": playlists,
        "segment_s": segment_s,
        "sizes": sizes,
        "segment_bytes": _segment_bytes(content, count),
    }
    if has_chromium(experiment):
        made["manifest"] = manifest(rates_bps, segment_s, whole, h264.FRAMES_PER_S)
        made["decodes"] = True
    return made


def memory_bytes(film: Film) -> int:
    """Of the guest, at most: files of holes have memory where something was written alone."""
    if "decodes" not in film:
        return 0
    # A header, and pictures far smaller than a page, each of which may lie across two.
    pages = 2 * (samples(film["segment_s"], h264.FRAMES_PER_S) + 1)
    return sum(min(size + _PAGE_BYTES, pages * _PAGE_BYTES)
               for segment_bytes in film["segment_bytes"] for size in segment_bytes)  # fmt: skip


def _live(content: Content, live: Live, duration_s: float) -> Film:
    """All that is made by the experiment's end."""
    rates_bps, segment_s = content["bitrates_bps"], content["segment_s"]
    count = math.ceil((live["time_shift_buffer_s"] + duration_s) / segment_s)
    return {
        "manifest": live_manifest(rates_bps, segment_s, live),
        "playlists": {},
        "segment_s": segment_s,
        "sizes": _sizes(len(rates_bps)),
        "segment_bytes": _segment_bytes(content, count),
        "live": live,
    }


def _sizes(levels: int) -> list[tuple[int, int]]:
    return [_SIZES[min(level, len(_SIZES) - 1)] for level in range(levels)]


def _segment_bytes(content: Content, count: int) -> list[list[int]]:
    tables, segment_s = content["sizes_bytes"], content["segment_s"]
    return [
        tables[level][:count] if tables else [round(rate_bps * segment_s / 8)] * count
        for level, rate_bps in enumerate(content["bitrates_bps"])
    ]


def live_manifest(bitrates_bps: list[float], segment_s: float, live: Live) -> str:
    """That of a film that is made while it is watched; BEGAN stands for when that began.

    Sections 5.3.1.2, 5.3.9.5.3 and annex K of ISO/IEC 23009-1:2022.
    """
    ahead_s = segment_s - live["chunk_s"]
    latest = "" if live["max_latency_s"] is None else f' max="{1000 * live["max_latency_s"]:.0f}"'
    return (
        '<?xml version="1.0" encoding="utf-8"?>'
        '<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="dynamic"'
        ' profiles="urn:mpeg:dash:profile:isoff-live:2011"'
        f' availabilityStartTime="{BEGAN}" publishTime="{BEGAN}"'
        f' minBufferTime="PT{live["chunk_s"]:g}S"'
        f' timeShiftBufferDepth="PT{live["time_shift_buffer_s"]:g}S"'
        f' suggestedPresentationDelay="PT{live["target_latency_s"]:g}S">'
        '<ServiceDescription id="0">'
        f'<Latency target="{1000 * live["target_latency_s"]:.0f}"{latest}/>'
        f'<PlaybackRate min="{live["min_playback_rate"]:g}" max="{live["max_playback_rate"]:g}"/>'
        "</ServiceDescription>"
        + _period(
            bitrates_bps,
            segment_s,
            f' availabilityTimeOffset="{ahead_s:.3f}" availabilityTimeComplete="false"'
            if ahead_s > 0
            else "",
        )
    )


def manifest(
    bitrates_bps: list[float], segment_s: float, segments: int, frames_per_s: int = FRAMES_PER_S
) -> str:
    """The media presentation description."""
    return (
        '<?xml version="1.0" encoding="utf-8"?>'
        '<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"'
        ' profiles="urn:mpeg:dash:profile:isoff-live:2011"'
        f' minBufferTime="PT{segment_s:g}S"'
        f' mediaPresentationDuration="PT{segments * segment_s:.3f}S">'
        + _period(bitrates_bps, segment_s, frames_per_s=frames_per_s)
    )


def _period(
    bitrates_bps: list[float],
    segment_s: float,
    available: str = "",
    frames_per_s: int = FRAMES_PER_S,
) -> str:
    """All of a presentation, and its end. available: attributes of when its segments are."""
    sizes = _sizes(len(bitrates_bps))
    levels = "".join(
        f'<Representation id="{level}" bandwidth="{round(rate_bps)}"'
        f' width="{width}" height="{height}"/>'
        for level, (rate_bps, (width, height)) in enumerate(zip(bitrates_bps, sizes, strict=True))
    )
    return (
        '<Period id="0" start="PT0S"><AdaptationSet id="0" contentType="video"'
        f' mimeType="video/mp4" codecs="avc1.640028" frameRate="{frames_per_s}"'
        ' segmentAlignment="true" startWithSAP="1">'
        f'<SegmentTemplate timescale="{TIMESCALE}" duration="{round(segment_s * TIMESCALE)}"'
        f'{available} startNumber="0" initialization="dash/$RepresentationID$/init.mp4"'
        ' media="dash/$RepresentationID$/$Number$.m4s"/>'
        f"{levels}</AdaptationSet></Period></MPD>"
    )
