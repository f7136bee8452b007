"""Landlock: what a process and its descendants may do with files, TCP ports and each other.

landlock(7). What a ruleset handles is denied unless a rule allows it; what it cannot handle
(stat, chmod, flock, and on older kernels more, see `abi`) is seccomp's business (seccomp.py).
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from weir_lab.confine import system

__all__ = ["ABI_WITH_SCOPES", "BUILD", "LOOK", "READ", "USE", "WRITE", "abi", "restrict", "ruleset"]

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_VERSION, _PATH_BENEATH = 1, 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = (1 << bit for bit in range(4))
_REMOVE_DIR, _REMOVE_FILE = 1 << 4, 1 << 5
_MAKE_DIR, _MAKE_REG = 1 << 7, 1 << 8
_MAKE_FIFO, _MAKE_SYM = 1 << 10, 1 << 12
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_FOR_FILES: Final = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV

READ: Final = _EXECUTE | _READ_FILE | _READ_DIR
LOOK: Final = _READ_FILE | _READ_DIR
WRITE: Final = (
    LOOK | _WRITE_FILE | _TRUNCATE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG | _REFER
)
"""Regular files and folders made, changed and removed; no links, pipes, sockets or devices made,
and nothing executed."""
BUILD: Final = READ | WRITE | _MAKE_SYM | _MAKE_FIFO
"""A tree that is built: its own tools are run, and linked to."""
USE: Final = _READ_FILE | _WRITE_FILE | _IOCTL_DEV
"""A device: read, written, and asked what it is (ioctl)."""

_SINCE: Final = ((1, 13), (2, 14), (3, 15), (5, 16))
"""Access rights to files that an ABI handles: the lowest so many bits."""
ABI_WITH_TCP: Final = 4
ABI_WITH_SCOPES: Final = 6
_TCP, _SCOPES = 0b11, 0b11


def abi() -> int:
    """The version that this kernel offers; 0: none."""
    try:
        return system.call(_CREATE, None, 0, _VERSION)
    except OSError:
        return 0


@contextmanager
def ruleset(
    rules: Iterable[tuple[int, Iterable[Path]]], *, tcp: bool, scoped: bool
) -> Iterator[int]:
    """A ruleset, as a file descriptor for `restrict`; rules: rights, and the paths they are on.

    tcp: whether ports may be bound and connected to. scoped: whether signals and abstract
    sockets reach only processes within. Paths that are not there are left out. Raises OSError.
    """
    version = abi()
    handled = (1 << next(bits for since, bits in reversed(_SINCE) if version >= since)) - 1
    attributes = [handled]
    if version >= ABI_WITH_TCP:
        attributes.append(0 if tcp else _TCP)
    if version >= ABI_WITH_SCOPES:
        attributes.append(_SCOPES if scoped else 0)
    packed = struct.pack(f"{len(attributes)}Q", *attributes)
    fd = system.call(_CREATE, packed, len(packed), 0)
    try:
        for rights, paths in rules:
            for path in paths:
                _allow(fd, path, rights & handled)
        yield fd
    finally:
        os.close(fd)


def restrict(fd: int) -> None:
    """Hold this thread, and what it starts, to a ruleset. Needs no_new_privs. Raises OSError."""
    system.call(_RESTRICT, fd, 0)


def _allow(fd: int, path: Path, rights: int) -> None:
    try:
        at = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not path.is_dir():
            rights &= _FOR_FILES
        rule = struct.pack("=Qi", rights, at)
        system.call(_ADD, fd, _PATH_BENEATH, rule, 0)
    finally:
        os.close(at)
