"""Whole folders in the object store."""

from __future__ import annotations

import os
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Final

from weir_engine.errors import BadInput

from weir_orchestrator.objects.bundle import BUNDLE, pack, small
from weir_orchestrator.objects.keys import checked_key
from weir_orchestrator.objects.store import ObjectStore

__all__ = ["bundle_of", "put_folder"]

_NEEDED: Final = "run.json"
"""The file that a run directory is incomplete without (docs/run-directory.md)."""
_UPLOADS_AT_ONCE: Final = 8
_uploads = ThreadPoolExecutor(_UPLOADS_AT_ONCE, thread_name_prefix="upload")
"""Of this process: threads that stay are cheaper than some for every folder."""


def bundle_of(folder: Path, at_most: int) -> bytes | None:
    """All files below a folder as one bundle; None where they are more than so many bytes.

    Raises BadInput as `put_folder` does.
    """
    files = _checked(folder)
    if sum(path.stat().st_size for path in files.values()) > at_most:
        return None
    return pack(files) if files.keys() == small(files).keys() else None


def put_folder(store: ObjectStore, prefix: str, folder: Path, *, new: bool = False) -> int:
    """Make what is stored below `prefix` the files below `folder`; the bytes stored.

    Small files go into one object, the bundle. It is removed first and stored last: while it is
    there, all files are, and none of an attempt before. Of two that store at once below one
    prefix, files may mix; leases see to that.

    new: nothing is there yet that anybody reads, which saves the look.
    Raises BadInput when run.json is missing, a file's name is no key or a file is a link, and what
    the store raises.
    """
    files = _checked(folder)
    for name in files:
        checked_key(f"{prefix}/{name}")
    bundled = small(files)
    large = {f"{prefix}/{name}": files[name] for name in files.keys() - bundled.keys()}
    there = set() if new else {info.key for info in store.list(prefix)}
    bundle = f"{prefix}/{BUNDLE}"
    if bundle in there:
        store.delete(bundle)
    _finish_all([_uploads.submit(store.put_file, *item) for item in large.items()])
    store.delete(*(there - large.keys() - {bundle}))
    packed = pack(bundled)
    store.put_bytes(bundle, packed)
    return len(packed) + sum(path.stat().st_size for path in large.values())


def _finish_all(uploads: list[Future[None]]) -> None:
    """None is under way when this ends; after a failure no more are begun."""
    wait(uploads, return_when=FIRST_EXCEPTION)
    for upload in uploads:
        upload.cancel()
    wait(uploads)
    for upload in uploads:
        upload.result()


def _checked(folder: Path) -> dict[str, Path]:
    files = _files(folder)
    for name in files:
        checked_key(name)
    if _NEEDED not in files:
        raise BadInput(f"{folder}: no {_NEEDED} — allowed: a complete run directory. Run it again.")
    if BUNDLE in files:
        raise BadInput(f"{folder / BUNDLE}: the store keeps this name to itself. Rename the file.")
    return files


def _files(folder: Path) -> dict[str, Path]:
    """By name, such as `players/client-1.parquet`."""
    found: dict[str, Path] = {}
    left = [("", str(folder))]
    while left:
        prefix, at = left.pop()
        for entry in os.scandir(at):
            if entry.is_symlink():  # users' code may have made it, to be shown what is not its own
                raise BadInput(f"{entry.path}: a symbolic link — allowed: files and folders")
            if entry.is_dir():
                left.append((f"{prefix}{entry.name}/", entry.path))
            elif entry.is_file():
                found[prefix + entry.name] = Path(entry.path)
    return dict(sorted(found.items()))
