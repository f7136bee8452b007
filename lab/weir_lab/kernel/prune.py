"""Bounding the cache: what was used least recently goes, and nothing that is in use.

Kernels and configured trees count together. Sources stay: a kernel is found by its source. So does
the kernel that this checkout asks for, which an API checks campaigns against and never boots.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from weir.errors import WeirError

from weir_lab.kernel import cache, locks

__all__ = ["BOUND", "Pruned", "bound_bytes", "prune", "prune_locked"]

BOUND: Final = "WEIR_KERNEL_CACHE_BYTES"
DEFAULT_BYTES: Final = 4_000_000_000
_BLOCK_BYTES: Final = 512


@dataclass(frozen=True)
class Pruned:
    """What was removed, and how much the kernels and trees that are left take on the disk."""

    removed: tuple[Path, ...]
    left_bytes: int
    bound_bytes: int


def bound_bytes() -> int:
    """What kernels and trees may take together, from the environment. Raises WeirError."""
    given = os.environ.get(BOUND) or str(DEFAULT_BYTES)
    if not (given.isascii() and given.isdigit()):
        raise WeirError(
            f"{BOUND}: {given} — allowed: bytes, a whole number from 0 on; unset, it is "
            f"{DEFAULT_BYTES}"
        )
    return int(given)


def prune(most_bytes: int | None = None) -> Pruned:
    """Remove until kernels and trees take at most so much (None: `bound_bytes`).

    What is in use stays, whatever it takes. Waits for a build that is under way. Raises WeirError,
    OSError.
    """
    bound = bound_bytes() if most_bytes is None else most_bytes
    with locks.building(cache.root()):
        return prune_locked(bound)


def prune_locked(most_bytes: int) -> Pruned:
    """`prune` for who holds the lock of builders: no tree is in use."""
    current = cache.find()
    kept = current.path.parent if current else None
    sizes = {folder: _size_bytes(folder) for folder in _folders()}
    left, removed = sum(sizes.values()), []
    for folder in sorted(sizes, key=lambda path: (_finished(path), path.stat().st_mtime_ns)):
        if _finished(folder) and (left <= most_bytes or folder == kept):
            continue
        with _removable(folder) as free:
            if free:
                _remove(folder)
                removed.append(folder)
                left -= sizes[folder]
    return Pruned(tuple(removed), left, most_bytes)


def _folders() -> list[Path]:
    return [path for kind in ("kernels", "trees") for path in (cache.root() / kind).glob("*/")]


def _mark(folder: Path) -> Path:
    """The file without which a kernel or a tree does not count as there."""
    return folder / ("kernel.json" if folder.parent.name == "kernels" else ".config")


def _finished(folder: Path) -> bool:
    """Not what a build, or a removal, that was killed left behind."""
    return _mark(folder).exists() and folder.suffix != ".part"


@contextmanager
def _removable(folder: Path) -> Iterator[bool]:
    program = folder / "linux"
    if folder.parent.name == "trees" or not program.exists():
        yield True
        return
    with locks.unused(program) as free:
        yield free


def _remove(folder: Path) -> None:
    # Killed half-way, it leaves what nobody takes for a kernel or a tree.
    _mark(folder).unlink(missing_ok=True)
    shutil.rmtree(folder)


def _size_bytes(folder: Path) -> int:
    """On the disk, as du counts."""
    paths = (Path(inside, name) for inside, _, names in os.walk(folder) for name in names)
    return _BLOCK_BYTES * sum(path.lstat().st_blocks for path in paths)
