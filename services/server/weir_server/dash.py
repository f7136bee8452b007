"""The server role's files for DASH and HLS players, inside a lab kernel; mpd.py has their names."""

from __future__ import annotations

import os

from weir_server import fmp4
from weir_server.began import BEGAN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weir_server.mpd import Film


def write(root: str, film: Film, began: str = "") -> None:
    """Write the film below `root`: real headers, and holes as media data, which take no memory; of
    one that is decoded, pictures in them.

    Of a live one that `began` then (xs:dateTime), all but its media segments (origin.py).
    """
    _put(f"{root}/manifest.mpd", film["manifest"].replace(BEGAN, began).encode())
    os.mkdir(f"{root}/dash")
    if film["playlists"]:
        os.mkdir(f"{root}/hls")
    for path, text in film["playlists"].items():
        _put(f"{root}/{path}", text.encode())
    make = _decodes if "decodes" in film else _announces
    levels = zip(film["sizes"], film["segment_bytes"], strict=True)
    for level, (picture, segment_bytes) in enumerate(levels):
        folder = f"{root}/dash/{level}"
        os.mkdir(folder)
        make(folder, picture, film["segment_s"], [] if "live" in film else segment_bytes)


def _announces(
    folder: str, picture: tuple[int, int], segment_s: float, segment_bytes: list[int]
) -> None:
    """A level whose media data nobody looks at. picture: its width and height."""
    _put(f"{folder}/init.mp4", fmp4.initialization(*picture))
    for number, size in enumerate(segment_bytes):
        _put(f"{folder}/{number}.m4s", fmp4.media_header(number, segment_s, size), size)


def _decodes(
    folder: str, picture: tuple[int, int], segment_s: float, segment_bytes: list[int]
) -> None:
    """A level that a browser decodes; `picture` is what its manifest says."""
    from weir_server import h264  # noqa: PLC0415 (only where it is asked for)

    _put(f"{folder}/init.mp4", fmp4.initialization(h264.WIDTH, h264.HEIGHT, h264.CONFIGURATION))
    frames = fmp4.samples(segment_s, h264.FRAMES_PER_S)
    for number, size in enumerate(segment_bytes):
        header = fmp4.media_header(number, segment_s, size, h264.FRAMES_PER_S)
        frame_bytes = (size - len(header)) // frames
        pictures = {
            len(header) + each * frame_bytes: h264.sample(each, frame_bytes)
            for each in range(frames)
        }
        _put(f"{folder}/{number}.m4s", header, size, pictures)


def _put(
    path: str, content: bytes, size: int | None = None, more: dict[int, bytes] | None = None
) -> None:
    """more: what stands where else in the file."""
    fd = os.open(path, os.O_CREAT | os.O_WRONLY, 0o644)
    os.write(fd, content)
    for at, part in (more or {}).items():
        os.pwrite(fd, part, at)
    if size is not None:
        os.ftruncate(fd, size)
    os.close(fd)
