"""HLS: a master playlist, its media playlists, and sizes by EXT-X-BYTERANGE (RFC 8216).

A segment without a byte range is a file of its own: its size is that of the file beside the
playlist. Levels are ordered by AVERAGE-BANDWIDTH, else BANDWIDTH; playlists of audio alone (no
RESOLUTION beside others that have one) are left out.
"""

from __future__ import annotations

import posixpath
from statistics import median
from typing import Any

import m3u8

from weir.content.table import BadContent, Film, Folder, film

__all__ = ["from_hls"]


def from_hls(name: str, folder: Folder) -> Film:
    """The film of a master playlist `name`. Raises BadContent."""
    master = _parsed(name, folder)
    if not master.is_variant:
        raise BadContent(name, "it is no master playlist; name the one with EXT-X-STREAM-INF")
    variants = [(v.stream_info, v.uri) for v in master.playlists]
    if any(info.resolution for info, _ in variants):
        variants = [(info, uri) for info, uri in variants if info.resolution]
    rated = sorted(
        ((info.average_bandwidth or info.bandwidth or 0, uri) for info, uri in variants),
        key=lambda variant: variant[0],
    )
    rows, lengths = [], []
    for _, uri in rated:
        where = posixpath.join(posixpath.dirname(name), uri)
        sizes, durations = _media(where, folder)
        rows.append(sizes)
        lengths += durations
    return film(rows, [float(rate) for rate, _ in rated], median(lengths))


def _media(name: str, folder: Folder) -> tuple[list[int], list[float]]:
    playlist = _parsed(name, folder)
    if not playlist.segments:
        raise BadContent(name, "it has no segments; give a media playlist with EXTINF lines")
    sizes, durations = [], []
    for number, segment in enumerate(playlist.segments):
        if segment.byterange:
            length = str(segment.byterange).partition("@")[0]
            if not length.isdecimal() or len(length) > 10:
                raise BadContent(
                    f"{name}, segment {number}: EXT-X-BYTERANGE {segment.byterange}",
                    "it is length or length@offset, in bytes",
                )
            sizes.append(int(length))
        else:
            sizes.append(folder.size(posixpath.join(posixpath.dirname(name), segment.uri)))
        if not segment.duration:
            raise BadContent(f"{name}, segment {number}", "it has no EXTINF duration above zero")
        durations.append(float(segment.duration))
    return sizes, durations


def _parsed(name: str, folder: Folder) -> Any:
    text = folder.text(name)
    if not text.lstrip("\ufeff").startswith("#EXTM3U"):
        raise BadContent(name, "it is no HLS playlist: the first line must be #EXTM3U")
    try:
        return m3u8.loads(text)
    except Exception as error:
        # The package raises whatever its parsing meets (ValueError, KeyError, IndexError, ...).
        raise BadContent(name, f"it is no sound HLS playlist: {error!r}") from None
