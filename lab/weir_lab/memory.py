"""Where the guests' memory is kept: a folder of its own for each lab kernel.

In memory where it fits and may hold code, as User-Mode Linux maps the file executable. The file
itself has no name; a folder that a killed process left behind is removed by the next.
Whose folder it is says a lock, not a process id: containers may share the memory and not the ids.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["FOLDER", "Folder", "make"]

FOLDER: Final = "WEIR_LAB_MEMORY"
"""Environment variable: the folder to make it in; absent: shared memory, or TMPDIR."""
_SHARED: Final = Path("/dev/shm")
_PREFIX: Final = "weir-memory-"


@dataclass(frozen=True)
class Folder:
    """One that is held: `make()` makes it."""

    path: Path
    lock: int
    """Descriptor of the folder, locked for as long as a process of ours has it open."""

    def remove(self) -> None:
        """Remove it, and what is left in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self.lock)


def make(memory_mib: int) -> Folder:
    """A folder for the memory of a guest with so much. Raises OSError."""
    within = _within(memory_mib)
    _sweep(within)
    while True:
        path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=within))
        # Before it is locked, another's sweep may take it for left behind.
        with suppress(FileNotFoundError):
            lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
            # A confined process may not, and need not: its folder is within one that is locked.
            with suppress(PermissionError):
                fcntl.flock(lock, fcntl.LOCK_EX)
            if path.exists():
                return Folder(path, lock)
            os.close(lock)


def _within(memory_mib: int) -> Path:
    if given := os.environ.get(FOLDER):
        return Path(given)
    other = Path(os.environ.get("TMPDIR", "/tmp"))
    try:
        state = os.statvfs(_SHARED)
    except OSError:
        return other
    fits = state.f_bavail * state.f_frsize > 2 * memory_mib << 20
    if fits and not state.f_flag & os.ST_NOEXEC and os.access(_SHARED, os.W_OK):
        return _SHARED
    return other


def _sweep(within: Path) -> None:
    for left in within.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            lock = os.open(left, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(left)
            finally:
                os.close(lock)
