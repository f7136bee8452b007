"""The server role's files for DASH and HLS players, inside a lab kernel; mpd.py has their names."""

from __future__ import annotations

import os

from weir_server import fmp4
from weir_server.began import BEGAN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weir_server.mpd import Film


def write(root: str, film: Film, began: str = "") -> None:
    """Write the film below `root`: real headers, and holes as media data, which take no memory.

    Of a live one that `began` then (xs:dateTime), all but its media segments (origin.py).
    """
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
        _put(f"{folder}/init.mp4", fmp4.initialization(width, height))
        if "live" in film:
            continue
        for number, size in enumerate(segment_bytes):
            header = fmp4.media_header(number, film["segment_s"], size)
            _put(f"{folder}/{number}.m4s", header, size)


def _put(path: str, content: bytes, size: int | None = None) -> None:
    fd = os.open(path, os.O_CREAT | os.O_WRONLY, 0o644)
    os.write(fd, content)
    if size is not None:
        os.ftruncate(fd, size)
    os.close(fd)
