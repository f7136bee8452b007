"""Reading what a guest left: nothing but a regular file, within its folder, of a bounded size.

A guest may be hostile, and the lab kernel with it. A link would have the reader read elsewhere, a
named pipe have it wait for ever, a file with holes have it fill its memory.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import struct
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import Any, Final

from weir.errors import RunFailure

from weir_lab.confine import system

__all__ = ["MOST_FILES", "console", "is_plain", "json_value", "outgrown", "reading", "text"]

_OPENAT2: Final = 437
_NO_MAGICLINKS, _NO_SYMLINKS, _BENEATH = 0x02, 0x04, 0x08
_RESOLVE: Final = _BENEATH | _NO_SYMLINKS | _NO_MAGICLINKS
_FLAGS: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
CONSOLE_HEAD_BYTES: Final = 1 << 18
CONSOLE_TAIL_BYTES: Final = 1 << 18
MOST_FILES: Final = 4096
MOST_JSON_BYTES: Final = 16 << 20


def reading(folder: Path, name: str, most_bytes: int) -> BufferedReader:
    """A file below `folder`, open for reading.

    Raises FileNotFoundError; RunFailure for anything but a regular file of at most so many bytes,
    without holes, reached by no link.
    """
    fd = _opened(folder, name)
    try:
        state = os.fstat(fd)
        if not stat.S_ISREG(state.st_mode):
            raise RunFailure(f"{name}: is no regular file; the run is not read further")
        if state.st_size > most_bytes:
            raise RunFailure(
                f"{name}: {state.st_size} bytes; at most {most_bytes} are read. Let the run record "
                "less, or make it shorter"
            )
        if state.st_size and os.lseek(fd, 0, os.SEEK_HOLE) < state.st_size:
            raise RunFailure(f"{name}: has holes, which nothing in a cell writes; it is not read")
        os.lseek(fd, 0, os.SEEK_SET)
    except BaseException:
        os.close(fd)
        raise
    return os.fdopen(fd, "rb")


def text(folder: Path, name: str, most_bytes: int = 1 << 16) -> str:
    """The whole file as text, without its control characters. Raises as `reading`."""
    with reading(folder, name, most_bytes) as file:
        return printable(file.read(most_bytes).decode(errors="replace"))


def json_value(folder: Path, name: str, most_bytes: int = MOST_JSON_BYTES) -> Any:
    """What a file of JSON holds. Raises RunFailure as `reading`, and where it is none."""
    try:
        with reading(folder, name, most_bytes) as file:
            return json.loads(file.read(most_bytes))
    except FileNotFoundError:
        raise RunFailure(f"{name}: the guest ended without it; see log.txt") from None
    except (ValueError, RecursionError) as error:
        raise RunFailure(f"{name}: is no JSON ({error}); the run is not read further") from error


def console(folder: Path, name: str = "log.txt") -> str:
    """What was said: its beginning and its end, and how much was cut between them.

    Raises as `reading`.
    """
    with reading(folder, name, 1 << 62) as file:
        size = os.fstat(file.fileno()).st_size
        if size <= CONSOLE_HEAD_BYTES + CONSOLE_TAIL_BYTES:
            return _lines(file.read(size))
        head = file.read(CONSOLE_HEAD_BYTES)
        cut = size - CONSOLE_HEAD_BYTES - CONSOLE_TAIL_BYTES
        file.seek(-CONSOLE_TAIL_BYTES, os.SEEK_END)
        tail = file.read(CONSOLE_TAIL_BYTES)
    said = f"\n[{cut} bytes cut here]\n".encode()
    return _lines(head + said + tail)


def _lines(said: bytes) -> str:
    return said.decode(errors="replace").replace("\r\n", "\n")


def is_plain(path: Path) -> bool:
    """Whether it is a regular file itself, and not by a link."""
    return path.is_file() and not path.is_symlink()


def printable(said: str) -> str:
    """Without control characters other than tab and newline."""
    return "".join(one if one >= " " or one in "\t\n" else "\ufffd" for one in said)


def outgrown(folder: Path, most_bytes: int) -> str:
    """Why a run that still goes on has left too much already; empty where it has not."""
    total = 0
    for number, path in enumerate(_below(folder), 1):
        if number > MOST_FILES:
            return f"it made more than {MOST_FILES} files"
        try:
            total += path.stat(follow_symlinks=False).st_blocks * 512
        except FileNotFoundError:
            continue
        if total > most_bytes:
            return f"its files take more than {most_bytes // 2**20} MiB"
    return ""


def _below(folder: Path) -> Iterator[Path]:
    for at, folders, names in os.walk(folder):
        for name in (*folders, *names):
            yield Path(at, name)


def _opened(folder: Path, name: str) -> int:
    at = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    how = struct.pack("QQQ", _FLAGS, 0, _RESOLVE)
    try:
        return system.call(_OPENAT2, at, os.fsencode(name), how, len(how))
    except FileNotFoundError:
        raise
    except OSError as error:
        what = "is a link, or leads out of its folder"
        if error.errno not in {errno.ELOOP, errno.EXDEV}:
            what = f"cannot be read: {error.strerror}"
        raise RunFailure(f"{name}: {what}; the run is not read further") from error
    finally:
        os.close(at)
