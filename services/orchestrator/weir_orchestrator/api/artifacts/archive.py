"""All files of a run as one tar, written as it is sent. Its size is known before."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from typing import Final

from weir_orchestrator.recorded import RunFile, RunFiles

__all__ = ["Archive", "Changed"]

_BLOCK: Final = tarfile.BLOCKSIZE
_END: Final = bytes(2 * _BLOCK)


class Changed(Exception):
    """A file is not the one that was listed: what was sent cannot be finished."""


class Archive:
    """What is listed when this is made. folder: what it unpacks to."""

    def __init__(self, files: RunFiles, folder: str) -> None:
        self._files = files
        self._listed = files.listed()
        self._folder = folder

    @property
    def size_bytes(self) -> int:
        """Of the whole tar."""
        members = (
            len(self._head(name, file)) + file.size_bytes + len(_padding(file.size_bytes))
            for name, file in self._listed.items()
        )
        return sum(members) + len(_END)

    def chunks(self) -> Iterator[bytes]:
        """Its bytes. Raises Changed, ObjectNotFound, StoreUnavailable."""
        for name, file in self._listed.items():
            yield self._head(name, file)
            size_bytes, content = self._files.stream(name)
            if size_bytes != file.size_bytes:
                raise Changed(f"{name} was replaced while the archive was sent")
            yield from content
            yield _padding(size_bytes)
        yield _END

    def _head(self, name: str, file: RunFile) -> bytes:
        member = tarfile.TarInfo(f"{self._folder}/{name}")
        member.size = file.size_bytes
        member.mtime = int(file.modified.timestamp())
        return member.tobuf(tarfile.GNU_FORMAT)


def _padding(size_bytes: int) -> bytes:
    return bytes(-size_bytes % _BLOCK)
