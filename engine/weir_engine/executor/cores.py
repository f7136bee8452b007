"""Which core of this machine each worker's runs are carried out on."""

from __future__ import annotations

import os
from collections.abc import Collection
from contextlib import suppress
from typing import Final

from weir_engine.task import Task

__all__ = ["Cores"]


class Cores:
    """Of an executor with so many workers: one for each where it has as many as this process may
    use. Else none has one, and the kernel's scheduler chooses, for which others wait, too.

    A lab kernel and the programs in it are processes that take turns. On one core each finds in the
    caches what the other has left, and no other core is woken for it
    (docs/decisions/speed-of-a-run.md).
    """

    def __init__(self, workers: int) -> None:
        self._all: Final = frozenset(os.sched_getaffinity(0))
        self._one_each: Final = workers == len(self._all)

    def free(self, taken: Collection[int | None]) -> int | None:
        """For one more worker. taken: those that others have. None: it is to have none."""
        return min(self._all.difference(taken), default=None) if self._one_each else None

    def keep(self, pid: int, core: int | None, task: Task) -> None:
        """Have what this process begins from now on, and itself, on the core; on all for a run on
        the real clock, whose processes are not to wait for one another."""
        if core is None:
            return
        # It may have ended, or a container's cores be others by now.
        with suppress(OSError):
            os.sched_setaffinity(pid, self._all if task.experiment["clock"] == "real" else {core})
