"""Folders for servers' data, removed at the end; those of crashed tests at the next start."""

from __future__ import annotations

import fcntl
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PREFIX = "weir-test-server-"


@contextmanager
def scratch() -> Iterator[Path]:
    """A new folder that lasts as long as the context, or until its process was killed."""
    _remove_abandoned()
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    # Beside the folder, whose owner the server may be.
    lock = folder.with_name(f"{folder.name}.lock")
    unheld = folder.with_name(f"{folder.name}.new")
    try:
        with unheld.open("w") as held:  # the lock ends with this process, however it ends
            fcntl.flock(held, fcntl.LOCK_EX)
            unheld.rename(lock)
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        lock.unlink(missing_ok=True)


def _remove_abandoned() -> None:
    for lock in Path(tempfile.gettempdir()).glob(f"{PREFIX}*.lock"):
        try:
            with lock.open() as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(lock.with_suffix(""), ignore_errors=True)
                lock.unlink(missing_ok=True)
        except OSError:
            continue  # in use, or another user's
