"""Locks of the cache: a kernel or a tree is made by one process at a time, and pruned by nobody who
finds it in use.

flock(2): whoever crashes lets go. A file system without locks runs kernels all the same; there
nothing counts as unused (see `prune`). A run's own process may take none, nor may a compiler, or a
hostile one could have others wait: the fork server that started a run holds its kernel.
"""

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from weir.errors import WeirError

__all__ = ["Busy", "alone", "hold", "reading", "unused", "used"]

_POLL_S: Final = 0.1


class Busy(WeirError):
    """Others have held for too long what is needed here."""


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
    used(program.parent)
    return file


@contextmanager
def reading(tree: Path) -> Iterator[None]:
    """Keep a tree from being pruned; who makes it may change it meanwhile. Raises OSError."""
    at = os.open(tree, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(at, fcntl.LOCK_SH)
        yield
    finally:
        os.close(at)


def used(folder: Path) -> None:
    """Note that a kernel or a tree is used now, by its folder's time; not so an image's, which
    cannot be written to and is never pruned."""
    with suppress(OSError):
        os.utime(folder)


@contextmanager
def unused(path: Path) -> Iterator[bool]:
    """Whether nobody holds a kernel or reads a tree; then nobody can until the end of the block."""
    at = os.open(path, os.O_RDONLY)
    try:
        try:
            fcntl.flock(at, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
            return
        yield True
    finally:
        os.close(at)


@contextmanager
def alone(
    lock: Path, most_s: float, waiting: Callable[[float], None] = lambda waited_s: None
) -> Iterator[None]:
    """One process at a time under a lock, a file that is there only while somebody has it.

    waiting: told now and then for how many seconds others have had it. Raises Busy after `most_s`;
    OSError where the file system has no locks.
    """
    lock.parent.mkdir(parents=True, exist_ok=True)
    began_s = time.monotonic()
    while (held := _taken(lock)) is None:
        waited_s = time.monotonic() - began_s
        if waited_s >= most_s:
            raise Busy(
                f"{lock}: another process has had this lock for {waited_s:.0f} s; try again when "
                "its build has ended"
            )
        waiting(waited_s)
        time.sleep(_POLL_S)
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)
        os.close(held)


def _taken(lock: Path) -> int | None:
    """The lock, as a file descriptor; None: somebody else has it."""
    while True:
        held = os.open(lock, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is(held, lock):
                return held
        except BlockingIOError:
            os.close(held)
            return None
        except BaseException:
            os.close(held)
            raise
        os.close(held)  # of one that was let go of meanwhile


def _is(held: int, lock: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(held), lock.stat())
    except FileNotFoundError:
        return False
