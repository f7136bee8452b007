"""Locks of the cache: on a kernel while it is booted or runs, and one for all that changes trees.

flock(2): whoever crashes lets go. A file system without locks runs kernels all the same; there
nothing counts as unused (see `prune`). A run's own process may take none, or a hostile one could
have others wait: the fork server that started it holds its kernel.
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

__all__ = ["building", "hold", "unused", "used"]


def hold(program: Path) -> BinaryIO:
    """Keep a kernel from being pruned until the file that is returned is closed.

    Raises OSError: the program is not there, or no longer.
    """
    file = program.open("rb")
    with suppress(OSError):
        fcntl.flock(file, fcntl.LOCK_SH)
    if not os.fstat(file.fileno()).st_nlink:
        file.close()
        raise FileNotFoundError(errno.ENOENT, "pruned just now", str(program))
    with suppress(OSError):
        used(program.parent)
    return file


def used(folder: Path) -> None:
    """Note that a kernel or a tree is used now, by its folder's time."""
    os.utime(folder)


@contextmanager
def unused(program: Path) -> Iterator[bool]:
    """Whether nobody holds a kernel; then nobody can until the end of the block."""
    with program.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
            return
        yield True


@contextmanager
def building(root: Path) -> Iterator[None]:
    """One builder or pruner at a time in a cache: trees are shared between builds."""
    root.mkdir(parents=True, exist_ok=True)
    with (root / "build.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
