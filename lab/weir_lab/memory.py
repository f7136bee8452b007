"""Where the guests' memory is kept: a folder of its own for each lab kernel.

In memory where it fits and may hold code, as User-Mode Linux maps the file executable. The file
itself has no name; a folder that a killed process left behind is empty, and removed by the next.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

__all__ = ["FOLDER", "make", "remove"]

FOLDER: Final = "WEIR_LAB_MEMORY"
"""Environment variable: the folder to make it in; absent: shared memory, or TMPDIR."""
_SHARED: Final = Path("/dev/shm")
_PREFIX: Final = "weir-memory-"


def make(memory_mib: int) -> Path:
    """A folder for the memory of a guest with so much."""
    within = _within(memory_mib)
    _sweep(within)
    return Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=within))


def remove(folder: Path) -> None:
    """Remove it, and what is left in it."""
    shutil.rmtree(folder, ignore_errors=True)


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
        owner = left.name.removeprefix(_PREFIX).partition("-")[0]
        if not Path("/proc", owner).exists():
            with suppress(OSError):
                left.rmdir()
