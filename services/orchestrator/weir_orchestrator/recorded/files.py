"""A run directory in the object store, read file by file."""

from __future__ import annotations

import json
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from weir.rundir import Columns

from weir_orchestrator.objects import ObjectInfo, ObjectNotFound, ObjectStore

__all__ = ["RunFiles"]

_READ_AT_ONCE = 8


class RunFiles:
    """The files below a prefix. What is not there is None. Raises StoreUnavailable."""

    def __init__(self, objects: ObjectStore, prefix: str) -> None:
        self.objects, self.prefix = objects, prefix

    def key(self, name: str) -> str:
        """The object's key of a file."""
        return f"{self.prefix}/{name}"

    def listed(self) -> dict[str, ObjectInfo]:
        """Files by name, such as `players/client-1.parquet`."""
        found = {info.key[len(self.prefix) + 1 :]: info for info in self.objects.list(self.prefix)}
        return dict(sorted(found.items()))

    def content(self, name: str) -> bytes | None:
        try:
            return self.objects.get_bytes(self.key(name))
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
        """Copy files into a folder, several at the same time."""

        def copy(name: str) -> None:
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(self.objects.get_bytes(self.key(name)))

        with ThreadPoolExecutor(_READ_AT_ONCE) as reads:
            for _ in reads.map(copy, names):
                pass
