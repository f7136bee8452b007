"""The object store that the platform uses."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import obstore
from obstore.store import S3Store
from weir_engine.errors import BadInput

from weir_orchestrator.objects.backend import NO_PATIENCE, bucket_store, open_backend
from weir_orchestrator.objects.errors import ObjectNotFound, RangeOutside, explained
from weir_orchestrator.objects.keys import checked_key
from weir_orchestrator.objects.url import StoreUrl, parse_url

if TYPE_CHECKING:
    from obstore import BytesStream, ObjectMeta

__all__ = ["Download", "ObjectInfo", "ObjectStore", "open_store"]

CHUNK_BYTES = 1 << 20
DELETED_AT_ONCE = 1000  # keys in one S3 request


@dataclass(frozen=True)
class ObjectInfo:
    """What the store knows of an object. etag: changes with the content; may be empty."""

    key: str
    size_bytes: int
    modified: datetime
    etag: str


@dataclass(frozen=True)
class Download:
    """Bytes `start` to `end` (exclusive) of an object, read as `chunks` is iterated."""

    info: ObjectInfo
    start: int
    end: int
    chunks: Iterator[bytes]


def open_store(url: str) -> ObjectStore:
    """The store at a URL (see url.py); a folder is made where there is none.

    S3 is not asked yet: `check()` does. Raises BadInput, StoreUnavailable.
    """
    return ObjectStore(parse_url(url))


class ObjectStore:
    """Objects by key. Safe to share between threads.

    An object appears whole or not at all, and replaces the one before it. Every method raises
    BadInput for a malformed key and StoreUnavailable when the store does not do its part.
    """

    def __init__(self, url: StoreUrl) -> None:
        """Raises StoreUnavailable."""
        self.url = url
        self._backend = backend = open_backend(url)
        self._public: S3Store | None = None
        if isinstance(backend, S3Store):
            public = url.public_endpoint
            self._public = bucket_store(url, public) if public else backend

    def put_bytes(self, key: str, content: bytes) -> None:
        with explained(self.url, checked_key(key)):
            obstore.put(self._backend, key, content)

    def put_file(self, key: str, path: Path) -> None:
        """Store a file's content; large ones are sent in parts. Raises OSError from reading."""
        checked_key(key)
        if path.stat().st_size <= CHUNK_BYTES:  # in one piece: less work than by a file's parts
            self.put_bytes(key, path.read_bytes())
            return
        with path.open("rb") as file, explained(self.url, key):
            obstore.put(self._backend, key, file)

    def get_bytes(self, key: str) -> bytes:
        """Raises ObjectNotFound."""
        with explained(self.url, checked_key(key)):
            return bytes(obstore.get(self._backend, key).bytes())

    def get_part(self, key: str, start: int, size_bytes: int) -> tuple[ObjectInfo, bytes]:
        """Some of an object's bytes, by one request. Raises ObjectNotFound."""
        with explained(self.url, checked_key(key)):
            end = start + size_bytes
            got = obstore.get(self._backend, key, options={"range": (start, end)})
            return _info(got.meta), bytes(got.bytes())

    def stream(self, key: str, start: int = 0, end: int | None = None) -> Download:
        """An object, or its bytes from `start` up to, not including, `end`.

        Raises ObjectNotFound, and RangeOutside when there is no byte `start`.
        """
        checked_key(key)
        if start == 0 and end is None:
            with explained(self.url, key):
                got = obstore.get(self._backend, key)
        else:
            size_bytes = self.info(key).size_bytes
            end = size_bytes if end is None else min(end, size_bytes)
            if not 0 <= start < size_bytes or end <= start:
                raise RangeOutside(key, start, size_bytes)
            with explained(self.url, key):
                got = obstore.get(self._backend, key, options={"range": (start, end)})
        first, last = got.range
        return Download(_info(got.meta), first, last, self._chunks(key, got.stream(CHUNK_BYTES)))

    def info(self, key: str) -> ObjectInfo:
        """Raises ObjectNotFound."""
        with explained(self.url, checked_key(key)):
            return _info(obstore.head(self._backend, key))

    def exists(self, key: str) -> bool:
        try:
            self.info(key)
        except ObjectNotFound:
            return False
        return True

    def list(self, prefix: str = "") -> Iterator[ObjectInfo]:
        """What is stored below `prefix` (whole names: `a` is not above `ab/c`), in no order."""
        if prefix:
            checked_key(prefix)
        with explained(self.url, prefix):
            for some in obstore.list(self._backend, prefix or None):
                yield from map(_info, some)

    def total_bytes(self, prefix: str = "") -> int:
        return sum(info.size_bytes for info in self.list(prefix))

    def delete(self, *keys: str) -> None:
        """Remove objects; those that are not there are none the worse."""
        for key in keys:
            checked_key(key)
        left = iter(keys)
        while some := list(islice(left, DELETED_AT_ONCE)):
            with explained(self.url):
                self._delete(some)

    def delete_prefix(self, prefix: str) -> int:
        """Remove what is stored below `prefix`; how many objects that were."""
        keys = [info.key for info in self.list(checked_key(prefix))]
        self.delete(*keys)
        if self.url.folder:  # with the folders, also what a killed upload left unfinished
            shutil.rmtree(self.url.folder / prefix, ignore_errors=True)
        return len(keys)

    def presigned_get(self, key: str, valid_for: timedelta) -> str | None:
        """A URL by which anybody may read the object for a while (S3: at most 7 days).

        None where the store has no such thing: then stream it. Whether the object exists is not
        asked.
        """
        checked_key(key)
        if self._public is None:
            return None
        if not timedelta(0) < valid_for <= timedelta(days=7):
            raise BadInput(f"valid_for: {valid_for} — allowed: up to 7 days")
        return obstore.sign(self._public, "GET", key, valid_for)

    def check(self) -> None:
        """Write, read, list and delete an object, without patience.

        Raises StoreUnavailable, which says what is wrong and what to do.
        """
        impatient = (
            bucket_store(self.url, patience=NO_PATIENCE) if self.url.bucket else self._backend
        )
        key = f".check/{secrets.token_hex(8)}"
        with explained(self.url, key):
            obstore.put(impatient, key, b"weir")
            obstore.get(impatient, key).bytes()
            obstore.list(impatient, ".check").collect()
            obstore.delete(impatient, key)

    def _chunks(self, key: str, stream: BytesStream) -> Iterator[bytes]:
        with explained(self.url, key):
            for chunk in stream:
                yield bytes(chunk)

    def _delete(self, keys: Sequence[str]) -> None:
        try:
            obstore.delete(self._backend, keys)
        except FileNotFoundError as error:
            if len(keys) > 1:  # a folder stops at the first that is missing
                for key in keys:
                    self._delete([key])
            elif "NoSuchBucket" in str(error):
                raise


def _info(meta: ObjectMeta) -> ObjectInfo:
    return ObjectInfo(meta["path"], meta["size"], meta["last_modified"], meta["e_tag"] or "")
