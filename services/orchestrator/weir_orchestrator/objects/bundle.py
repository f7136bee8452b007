"""The small files of a folder as one object. A server has the same work with each object, however
small: a run directory of 14 files in three objects costs it less than half (bench/overhead.py).
"""

from __future__ import annotations

import tarfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Final

__all__ = ["BUNDLE", "pack", "small", "unpack"]

BUNDLE: Final = "files.tar"
"""Its name in the folder. A plain tar, to be read by hand where need be."""
_SMALL_BYTES: Final = 128 << 10
_MOST_BYTES: Final = 1 << 20
"""Of a bundle, which is read as a whole for any file in it."""


def small(files: Mapping[str, Path]) -> dict[str, Path]:
    """Those of some files (by name) that belong into a bundle: the smallest, while they fit."""
    chosen: dict[str, Path] = {}
    left_bytes = _MOST_BYTES
    for name, path in sorted(files.items(), key=lambda file: file[1].stat().st_size):
        size_bytes = path.stat().st_size
        left_bytes -= size_bytes
        if size_bytes > _SMALL_BYTES or left_bytes < 0:
            break
        chosen[name] = path
    return chosen


def pack(files: Mapping[str, Path]) -> bytes:
    """A bundle of these files. The same files give the same bytes."""
    parts = []
    for name, path in sorted(files.items()):
        content = path.read_bytes()
        member = tarfile.TarInfo(name)
        member.size = len(content)
        # Not by TarFile.addfile, which copies each member twice.
        head = member.tobuf(tarfile.GNU_FORMAT)
        parts += [head, content, bytes(-len(content) % tarfile.BLOCKSIZE)]
    whole = b"".join([*parts, bytes(2 * tarfile.BLOCKSIZE)])
    return whole + bytes(-len(whole) % tarfile.RECORDSIZE)


def unpack(bundle: bytes) -> dict[str, bytes]:
    """The files of a bundle by name."""
    with tarfile.open(fileobj=BytesIO(bundle), mode="r:") as tar:
        return {member.name: _content(tar, member) for member in tar}


def _content(tar: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = tar.extractfile(member)
    return b"" if file is None else file.read()
