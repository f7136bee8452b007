"""The server role's files for DASH and HLS players, inside a lab kernel; mpd.py has their names."""

from __future__ import annotations

import os

from weir_server import fmp4
from weir_server.began import BEGAN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weir_server.mpd import Film


def write(root: str, film: Film, began: str = "") -> None:
    """Write the film below `root`: real headers, and holes as media data, which take no memory; or
    media data that decodes.

    Of a live one that `began` then (xs:dateTime), all but its media segments (origin.py).
    """
    decodes, configuration = "decodes" in film, ()
    if decodes:
        from weir_server.h264 import CONFIGURATION  # noqa: PLC0415 - where it is asked for alone

        configuration = (CONFIGURATION,)
    _put(f"{root}/manifest.mpd", film["manifest"].replace(BEGAN, began).encode())
    os.mkdir(f"{root}/dash")
    if film["playlists"]:
        os.mkdir(f"{root}/hls")
    for path, text in film["playlists"].items():
        _put(f"{root}/{path}", text.encode())
    levels = zip(film["sizes"], film["segment_bytes"], strict=True)
    for level, ((width, height), segment_bytes) in enumerate(levels):
        folder = f"{root}/dash/{level}"
        os.mkdir(folder)
        _put(f"{folder}/init.mp4", fmp4.initialization(width, height, *configuration))
        if "live" in film:
            continue
        for number, size in enumerate(segment_bytes):
            header = fmp4.media_header(number, film["segment_s"], size)
            path = f"{folder}/{number}.m4s"
            _put(path, header, size)
            if decodes:
                _draw(path, len(header), film["segment_s"], size)


def _draw(path: str, at: int, duration_s: float, size: int) -> None:
    """Put the pictures of a segment into its media data, which begins `at`."""
    from weir_server.h264 import sample  # noqa: PLC0415

    frames, frame_bytes = fmp4.samples(duration_s, size - at)
    fd = os.open(path, os.O_WRONLY)
    for number in range(frames):
        os.pwrite(fd, sample(number, frame_bytes), at + number * frame_bytes)
    os.close(fd)


def _put(path: str, content: bytes, size: int | None = None) -> None:
    fd = os.open(path, os.O_CREAT | os.O_WRONLY, 0o644)
    os.write(fd, content)
    if size is not None:
        os.ftruncate(fd, size)
    os.close(fd)
