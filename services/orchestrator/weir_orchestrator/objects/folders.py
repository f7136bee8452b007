"""Whole folders in the object store."""

from __future__ import annotations

from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from pathlib import Path

from weir_orchestrator.errors import BadInput
from weir_orchestrator.objects.keys import checked_key
from weir_orchestrator.objects.store import ObjectStore

__all__ = ["LAST", "delete_folder", "put_folder"]

LAST = "run.json"
"""The file that a run directory is incomplete without (docs/run-directory.md)."""
UPLOADS_AT_ONCE = 8
_uploads = ThreadPoolExecutor(UPLOADS_AT_ONCE, thread_name_prefix="upload")
"""Of this process: threads that stay are cheaper than some for every folder."""


def put_folder(store: ObjectStore, prefix: str, folder: Path, last: str = LAST) -> int:
    """Make the objects below `prefix` the files below `folder`; the bytes stored.

    `last` is removed first and stored last: while it is there, all files are, and none of an
    attempt before. Of two that store at once below one prefix, files may mix; leases see to that.
    Raises BadInput when `last` is missing, a file's name is no key or a file is a link, and what
    the store raises.
    """
    files = {
        checked_key(f"{prefix}/{path.relative_to(folder).as_posix()}"): path
        for path in _files(folder)
    }
    final = f"{prefix}/{last}"
    if final not in files:
        raise BadInput(f"{folder}: no {last} — allowed: a complete run directory. Run it again.")
    there = {info.key for info in store.list(prefix)}
    if final in there:
        store.delete(final)
    others = [(key, path) for key, path in files.items() if key != final]
    _finish_all([_uploads.submit(store.put_file, *item) for item in others])
    store.delete(*(there - files.keys()))
    store.put_file(final, files[final])
    return sum(path.stat().st_size for path in files.values())


def _finish_all(uploads: list[Future[None]]) -> None:
    """None is under way when this ends; after a failure no more are begun."""
    wait(uploads, return_when=FIRST_EXCEPTION)
    for upload in uploads:
        upload.cancel()
    wait(uploads)
    for upload in uploads:
        upload.result()


def delete_folder(store: ObjectStore, prefix: str, last: str = LAST) -> int:
    """Remove what `put_folder` stored, `last` first; how many objects that were."""
    there = store.exists(f"{prefix}/{last}")
    if there:
        store.delete(f"{prefix}/{last}")
    return store.delete_prefix(prefix) + there


def _files(folder: Path) -> list[Path]:
    paths = sorted(folder.rglob("*"))
    for path in paths:
        if path.is_symlink():  # users' code may have made it, to be shown what is not its own
            raise BadInput(f"{path}: a symbolic link — allowed: files and folders")
    return [path for path in paths if path.is_file()]
