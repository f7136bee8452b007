"""All files of a run as one tar, written as it is sent. Its size is known before."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from weir_orchestrator.objects import ObjectInfo, ObjectStore

__all__ = ["Archive", "Changed"]

_BLOCK: Final = tarfile.BLOCKSIZE
_END: Final = bytes(2 * _BLOCK)


class Changed(Exception):
    """A file is not the one that was listed: what was sent cannot be finished."""


@dataclass(frozen=True)
class Archive:
    """files: name in the run directory -> what the store lists; folder: what it unpacks to."""

    objects: ObjectStore
    files: Mapping[str, ObjectInfo]
    folder: str

    @property
    def size_bytes(self) -> int:
        """Of the whole tar."""
        members = (
            len(self._head(name, info)) + info.size_bytes + len(_padding(info.size_bytes))
            for name, info in self.files.items()
        )
        return sum(members) + len(_END)

    def chunks(self) -> Iterator[bytes]:
        """Its bytes. Raises Changed, ObjectNotFound, StoreUnavailable."""
        for name, info in self.files.items():
            yield self._head(name, info)
            download = self.objects.stream(info.key)
            if download.info.size_bytes != info.size_bytes:
                raise Changed(f"{name} was replaced while the archive was sent")
            yield from download.chunks
            yield _padding(info.size_bytes)
        yield _END

    def _head(self, name: str, info: ObjectInfo) -> bytes:
        member = tarfile.TarInfo(f"{self.folder}/{name}")
        member.size = info.size_bytes
        member.mtime = int(info.modified.timestamp())
        return member.tobuf(tarfile.GNU_FORMAT)


def _padding(size_bytes: int) -> bytes:
    return bytes(-size_bytes % _BLOCK)
