"""What a build may take, of time and of the disk; one that takes more is ended.

Limits of a process bound one file each: a Makefile's commands may write as many as they like.
"""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["Bounds", "held_to", "size_bytes"]

_BLOCK_BYTES: Final = 512
_REST: Final = 20
"""Times that a look at the tree takes, from one to the next."""
_LEAST_REST_S: Final = 1.0


@dataclass(frozen=True)
class Bounds:
    """size_bytes: of all files in the tree. free: the part of its disk that has to stay free,
    since a file that is open needs no name to grow."""

    time_s: float
    size_bytes: int = 8 << 30
    free: float = 0.02


@contextmanager
def held_to(bounds: Bounds, tree: Path, end: Callable[[], None]) -> Iterator[Callable[[], str]]:
    """Call `end` once more is taken; what is yielded tells of what, empty until then."""
    over = threading.Event()
    told: list[str] = []

    def watch() -> None:
        until_s = time.monotonic() + bounds.time_s
        rest_s = 0.0
        while not over.wait(min(rest_s, max(0.0, until_s - time.monotonic()))):
            began_s = time.monotonic()
            if told_now := _exceeded(bounds, tree, until_s):
                told.append(told_now)
                end()
                return
            rest_s = max(_LEAST_REST_S, _REST * (time.monotonic() - began_s))

    watching = threading.Thread(target=watch, name="build-bounds", daemon=True)
    watching.start()
    try:
        yield lambda: "".join(told)
    finally:
        over.set()
        watching.join()


def size_bytes(folder: Path) -> int:
    """On the disk, as du counts."""
    blocks = 0
    for inside, _, names in os.walk(folder):
        for name in names:  # of up to 80,000 files, after each build: no Path for each
            with suppress(FileNotFoundError):  # a build makes and removes files
                blocks += os.lstat(f"{inside}/{name}").st_blocks
    return _BLOCK_BYTES * blocks


def _exceeded(bounds: Bounds, tree: Path, until_s: float) -> str:
    if time.monotonic() >= until_s:
        return f"it took more than {bounds.time_s:.0f} s"
    if size_bytes(tree) > bounds.size_bytes:
        return f"it wrote more than {bounds.size_bytes >> 20} MiB"
    with suppress(FileNotFoundError):
        disk = shutil.disk_usage(tree)
        if disk.free < bounds.free * disk.total:
            return f"less than {bounds.free:.0%} of the disk is free"
    return ""
