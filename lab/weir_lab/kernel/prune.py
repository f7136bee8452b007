"""Bounding the cache: what was used least recently goes, and nothing that is in use.

Kernels, configured trees and the kernel's tests count together. Sources stay: a kernel is found by
its source. So does the kernel that this checkout asks for, which an API checks campaigns against
and never boots.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from weir.errors import WeirError

from weir_lab.kernel import cache, locks
from weir_lab.kernel.bounds import size_bytes

__all__ = ["BOUND", "MARKS", "Pruned", "bound_bytes", "prune"]

BOUND: Final = "WEIR_KERNEL_CACHE_BYTES"
DEFAULT_BYTES: Final = 4_000_000_000
MARKS: Final = {"kernels": "kernel.json", "trees": ".config", "selftests": ".unpacked"}
"""By kind, the file without which a folder of the cache does not count as there."""
_MOST_WAIT_S: Final = 600.0


@dataclass(frozen=True)
class Pruned:
    """What was removed, and how much what is left of them takes on the disk."""

    removed: tuple[Path, ...]
    left_bytes: int
    bound_bytes: int


def bound_bytes() -> int:
    """What all of them may take together, from the environment. Raises WeirError."""
    given = os.environ.get(BOUND) or str(DEFAULT_BYTES)
    if not (given.isascii() and given.isdigit()):
        raise WeirError(
            f"{BOUND}: {given} — allowed: bytes, a whole number from 0 on; unset, it is "
            f"{DEFAULT_BYTES}"
        )
    return int(given)


def prune(most_bytes: int | None = None) -> Pruned:
    """Remove until all of them take at most so much (None: `bound_bytes`).

    What is in use, or is being made, stays, whatever it takes. Raises WeirError, OSError;
    locks.Busy when another process prunes for too long.
    """
    bound = bound_bytes() if most_bytes is None else most_bytes
    with locks.alone(cache.lock("prune"), _MOST_WAIT_S):
        current = cache.find()
        kept = current.path.parent if current else None
        found = sorted(_found())
        left, removed = sum(size for *_, size in found), []
        for finished, _, folder, size in found:
            if finished and (left <= bound or folder == kept):
                continue
            if _removed(folder):
                removed.append(folder)
                left -= size
    return Pruned(tuple(removed), left, bound)


def _found() -> Iterator[tuple[bool, int, Path, int]]:
    """Whether it is finished, when it was used last, the folder, its bytes."""
    for folder in _folders():
        with suppress(FileNotFoundError):  # its build ended meanwhile
            yield _finished(folder), folder.stat().st_mtime_ns, folder, size_bytes(folder)


def _folders() -> list[Path]:
    kinds = (cache.root() / kind for kind in (*MARKS, "builds"))
    return [folder for kind in kinds for folder in kind.glob("*/")]


def _finished(folder: Path) -> bool:
    """Not what a build, or a removal, that was killed left behind."""
    mark = MARKS.get(folder.parent.name)
    return mark is not None and folder.suffix != ".part" and (folder / mark).exists()


def _removed(folder: Path) -> bool:
    """Remove it unless somebody makes, runs or reads it."""
    program = folder / "linux"
    is_kernel = folder.parent.name == "kernels" and program.exists()
    try:
        with (
            locks.alone(cache.lock(folder.stem), most_s=0),
            locks.unused(program if is_kernel else folder) as free,
        ):
            if free:
                # Killed half-way, it leaves what nobody takes for one that is there.
                if mark := MARKS.get(folder.parent.name):
                    (folder / mark).unlink(missing_ok=True)
                shutil.rmtree(folder)
            return free
    except (locks.Busy, FileNotFoundError):
        return False
