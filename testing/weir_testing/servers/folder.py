"""Folders for servers' data, removed at the end; those of crashed tests at the next start."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PREFIX = "weir-test-server-"
MEMORY = Path("/dev/shm")
ROOM_BYTES = 4 << 30
"""Free there for servers of all the suite's workers; containers mostly have 64 MiB."""


@contextmanager
def scratch(*, in_memory: bool = False) -> Iterator[Path]:
    """A new folder that lasts as long as the context, or until its process was killed.

    in_memory: not on a disk, where memory has room.
    """
    _remove_abandoned()
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=_memory() if in_memory else None))
    # Beside the folder, whose owner the server may be.
    lock = folder.with_name(f"{folder.name}.lock")
    unheld = folder.with_name(f"{folder.name}.new")
    try:
        with unheld.open("w") as held:  # the lock ends with this process, however it ends
            fcntl.flock(held, fcntl.LOCK_EX)
            unheld.rename(lock)
            yield folder
    finally:
        _remove(folder)
        lock.unlink(missing_ok=True)


def _memory() -> Path | None:
    try:
        return MEMORY if shutil.disk_usage(MEMORY).free >= ROOM_BYTES else None
    except OSError:
        return None


def _remove_abandoned() -> None:
    for lock in (
        lock
        for folder in (Path(tempfile.gettempdir()), MEMORY)
        for lock in folder.glob(f"{PREFIX}*.lock")
    ):
        try:
            with lock.open() as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _remove(lock.with_suffix(""))
                lock.unlink(missing_ok=True)
        except OSError:
            continue  # in use, or another user's


def _remove(folder: Path) -> None:
    """With what is mounted in it: a Docker engine that has ended leaves a network namespace."""
    points = (Path(line.split()[1]) for line in Path("/proc/mounts").read_text().splitlines())
    for point in points:
        if point.is_relative_to(folder):
            subprocess.run(["umount", "--lazy", point], check=False)
    shutil.rmtree(folder, ignore_errors=True)
