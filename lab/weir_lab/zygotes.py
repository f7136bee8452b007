"""Lab kernels that forked runs before and may again: a few, the last used ones.

Each has a folder of its own, and writes there alone: the folder of the run that it forks has to be
within it.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from weir_lab.zygote import Shape, Zygote

__all__ = ["MOST", "UNUSED_S", "Warm", "Zygotes"]

MOST: Final = 3
UNUSED_S: Final = 60.0


@dataclass
class Warm:
    """A zygote. runs: its runs' folders are in here. used_s: monotonic time of its last use."""

    zygote: Zygote
    runs: Path
    used_s: float

    def close(self) -> None:
        """End it."""
        self.zygote.close()
        shutil.rmtree(self.runs, ignore_errors=True)


class Zygotes:
    """By what they were booted for. They end with the thread that asked for them."""

    def __init__(self, new_folder: Callable[[], Path], most: int = MOST) -> None:
        """new_folder: makes an empty one for the runs of a zygote."""
        self._new_folder, self._most = new_folder, most
        self._warm: dict[Shape, Warm] = {}

    @property
    def pids(self) -> set[int]:
        """Of their kernels."""
        return {warm.zygote.pid for warm in self._warm.values()}

    def of(self, asked: Shape) -> Warm:
        """One of this shape, booted where there is none; where it has died, that is told.

        Raises OSError, KernelGone, WeirError as `Zygote` does.
        """
        warm = self._warm.pop(asked, None)
        if warm is not None and not warm.zygote.alive:
            _tell(warm)
            warm.close()
            warm = None
        warm = warm or self._boot(asked)
        warm.used_s = time.monotonic()
        self._warm[asked] = warm
        while len(self._warm) > self._most:
            self._end(next(iter(self._warm)))
        return warm

    def _boot(self, asked: Shape) -> Warm:
        runs = self._new_folder()
        try:
            return Warm(Zygote(asked, runs), runs, 0.0)
        except BaseException:
            shutil.rmtree(runs, ignore_errors=True)
            raise

    def end(self, warm: Warm) -> None:
        """End one that is not to fork any more, and the run that goes on."""
        for asked, each in list(self._warm.items()):
            if each is warm:
                self._end(asked)

    def evict(self, unused_s: float = UNUSED_S) -> float | None:
        """End those that have not been used for so long; how long (s) until the next is due."""
        now_s = time.monotonic()
        for asked, warm in list(self._warm.items()):
            if now_s - warm.used_s >= unused_s:
                self._end(asked)
        due_s = [warm.used_s + unused_s - now_s for warm in self._warm.values()]
        return min(due_s, default=None)

    def leave(self) -> None:
        """In a child of this process, which is not to have them: none ends."""
        for warm in self._warm.values():
            warm.zygote.leave()

    def close(self) -> None:
        """End all."""
        for asked in list(self._warm):
            self._end(asked)

    def _end(self, asked: Shape) -> None:
        self._warm.pop(asked).close()


def _tell(warm: Warm) -> None:
    lines = [line.strip() for line in warm.zygote.said().splitlines() if line.strip()]
    said = f"; it said: {lines[-1]}" if lines else ""
    print(
        f"a lab kernel that forks runs has ended{said}; a fresh one is booted",
        file=sys.stderr,
        flush=True,
    )
