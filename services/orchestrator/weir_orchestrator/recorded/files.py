"""A run directory in the object store, read file by file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from weir.rundir import Columns

from weir_orchestrator.objects import BUNDLE, ObjectNotFound, ObjectStore, unpack

__all__ = ["Part", "RunFile", "RunFiles"]

_READ_AT_ONCE = 8


@dataclass(frozen=True)
class RunFile:
    """What is known of a file."""

    size_bytes: int
    modified: datetime


@dataclass(frozen=True)
class Part:
    """A bundle that is a part of an object."""

    key: str
    start: int
    size_bytes: int


class RunFiles:
    """The files below a prefix, as `put_folder` stored them, or of one bundle that is a part of an
    object. Raises StoreUnavailable.

    Small ones are read once, together, for as long as this object is kept.
    """

    def __init__(self, objects: ObjectStore, prefix: str, part: Part | None = None) -> None:
        """part: all there is, in place of what is below the prefix."""
        self.objects, self.prefix, self._part = objects, prefix, part
        self._modified = datetime.min.replace(tzinfo=UTC)
        self._small: dict[str, bytes] | None = None
        self._lock = Lock()

    def key(self, name: str) -> str:
        """The object's key of a file that is one of its own."""
        return f"{self.prefix}/{name}"

    def small(self) -> dict[str, bytes]:
        """The files that are no objects of their own."""
        with self._lock:
            if self._small is None:
                try:
                    self._small = unpack(self._bundle())
                except ObjectNotFound:
                    self._small = {}
            return self._small

    def _bundle(self) -> bytes:
        if self._part is None:
            return self.objects.get_bytes(self.key(BUNDLE))
        of = self._part
        info, content = self.objects.get_part(of.key, of.start, of.size_bytes)
        self._modified = info.modified
        return content

    def listed(self) -> dict[str, RunFile]:
        """Files by name, such as `players/client-1.parquet`."""
        if self._part is not None:
            small = sorted(self.small().items())
            return {name: RunFile(len(content), self._modified) for name, content in small}
        found = {
            info.key[len(self.prefix) + 1 :]: RunFile(info.size_bytes, info.modified)
            for info in self.objects.list(self.prefix)
        }
        if bundle := found.pop(BUNDLE, None):
            for name, content in self.small().items():
                found[name] = RunFile(len(content), bundle.modified)
        return dict(sorted(found.items()))

    def stream(self, name: str) -> tuple[int, Iterator[bytes]]:
        """A file's bytes: how many, and the pieces. Raises ObjectNotFound."""
        content = self.small().get(name)
        if content is not None:
            return len(content), iter([content])
        if self._part is not None:
            raise ObjectNotFound(self.key(name))
        download = self.objects.stream(self.key(name))
        return download.info.size_bytes, download.chunks

    def content(self, name: str) -> bytes | None:
        """A file's bytes; None where it is not there."""
        try:
            return b"".join(self.stream(name)[1])
        except ObjectNotFound:
            return None

    def document(self, name: str) -> Any:
        """A JSON file's value."""
        content = self.content(name)
        return None if content is None else json.loads(content)

    def documents(self, *names: str) -> list[Any]:
        """Several JSON files' values, fetched at the same time."""
        with ThreadPoolExecutor(_READ_AT_ONCE) as reads:
            return list(reads.map(self.document, names))

    def lines(self, name: str) -> list[dict[str, Any]] | None:
        """A file of one JSON object per line."""
        content = self.content(name)
        return None if content is None else [json.loads(line) for line in content.splitlines()]

    def columns(self, name: str, wanted: Iterable[str]) -> Columns | None:
        """Some columns of a Parquet file; the others are not decoded."""
        content = self.content(name)
        if content is None:
            return None
        table = pq.read_table(pa.BufferReader(content), columns=list(wanted))
        return {column: table.column(column).to_numpy() for column in table.column_names}

    def fetch(self, folder: Path, names: Iterable[str]) -> None:
        """Copy files into a folder, several at the same time. Raises ObjectNotFound."""

        def copy(name: str) -> None:
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("wb") as file:
                file.writelines(self.stream(name)[1])

        with ThreadPoolExecutor(_READ_AT_ONCE) as reads:
            for _ in reads.map(copy, names):
                pass
