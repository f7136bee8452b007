"""Lab kernels that forked runs before and may again: a few, the last used ones, of a fork server.

Each has a folder of its own, and writes there alone: a run's folder is in that of its zygote while
it goes on, with a link from where it will be. So a zygote reaches the one run that it forks.

They are of the lab's own kernel. One that a campaign changes is code that it brings, and ends with
its run: such a run's process, confined and in the run's control group, boots the zygote.
"""

from __future__ import annotations

import functools
import os
import shutil
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from weir.errors import WeirError
from weir_lab import plan, virtual
from weir_lab.boot import Shape, shape
from weir_lab.confine import cgroup
from weir_lab.forked import settle
from weir_lab.kernel import find
from weir_lab.zygote import Zygote

from weir_engine.store import Store
from weir_engine.task import Environment, Task, kernel_of

__all__ = ["MOST", "UNUSED_S", "Warm", "Zygotes", "lent"]

MOST: Final = 3
"""Each takes about as much memory as its guest has used: 20 to 60 MiB."""
UNUSED_S: Final = 60.0
_RUN: Final = "run"


@dataclass
class Warm:
    """A zygote. runs: its runs' folders are in here. used_s: monotonic time of its last use."""

    zygote: Zygote
    runs: Path
    used_s: float

    def line(self, group: cgroup.Group | None) -> socket.socket:
        """As `Zygote.line`. Raises OSError."""
        if group is None:
            return self.zygote.line()
        procs = os.open(group.folder / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC)
        try:
            return self.zygote.line(procs)
        finally:
            os.close(procs)

    def close(self) -> None:
        """End it."""
        self.zygote.close()
        shutil.rmtree(self.runs, ignore_errors=True)


@contextmanager
def lent(
    warm: Warm | None, work: Path, group: cgroup.Group | None
) -> Iterator[tuple[Path, socket.socket | None]]:
    """Where a run's folder `work`, which is not there yet, is until the end of the block, and what
    the run is ordered by; at the end of the block it is over. Raises OSError."""
    if warm is None:
        work.mkdir()
        yield work, None
        return
    within = warm.runs / _RUN
    within.mkdir()
    work.symlink_to(within)
    line = warm.line(group)
    try:
        yield within, line
    finally:
        settle(line)
        work.unlink()
        within.rename(work)


class Zygotes:
    """By what they were booted for."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._warm: dict[Shape, Warm] = {}
        self._numbers = 0

    @property
    def pids(self) -> set[int]:
        """Of their kernels."""
        return {warm.zygote.pid for warm in self._warm.values()}

    def of(self, task: Task) -> Warm | None:
        """One for a task's run, booted where there is none. None: the run boots one itself, and
        tells what is wrong where it cannot."""
        kernel = kernel_of(task, self._environment)
        theirs = task.kernel is not None and kernel.hash != _own_hash()
        if task.experiment["clock"] != "virtual" or theirs or not kernel.path.exists():
            return None
        try:
            cell = plan.make(task.experiment, task.seed)
            asked = shape(kernel, virtual.carried(task.experiment, task.seed, cell))
            warm = self._warm.pop(asked, None)
            if warm is not None and not warm.zygote.alive:
                _tell(warm)
                warm.close()
                warm = None
            warm = warm or self._boot(asked)
        except (OSError, WeirError):
            return None
        warm.used_s = time.monotonic()
        self._warm[asked] = warm
        while len(self._warm) > MOST:
            self._end(next(iter(self._warm)))
        return warm

    def _boot(self, asked: Shape) -> Warm:
        self._numbers += 1
        runs = Store(self._environment.store).new_temporary(f"zygote-{self._numbers}")
        try:
            return Warm(Zygote(asked, runs), runs, 0.0)
        except BaseException:
            shutil.rmtree(runs, ignore_errors=True)
            raise

    def evict(self) -> float | None:
        """End those that have not been used for UNUSED_S; how long (s) until the next is due."""
        now_s = time.monotonic()
        for asked, warm in list(self._warm.items()):
            if now_s - warm.used_s >= UNUSED_S:
                self._end(asked)
        due_s = [warm.used_s + UNUSED_S - now_s for warm in self._warm.values()]
        return min(due_s, default=None)

    def leave(self) -> None:
        """In a child of the fork server, which is not to have them."""
        for warm in self._warm.values():
            warm.zygote.leave()

    def close(self) -> None:
        """End all."""
        for asked in list(self._warm):
            self._end(asked)

    def _end(self, asked: Shape) -> None:
        self._warm.pop(asked).close()


@functools.cache
def _own_hash() -> str:
    """Of the lab's own kernel; empty where it cannot be told."""
    with suppress(OSError, WeirError):
        found = find()
        return found.hash if found else ""
    return ""


def _tell(warm: Warm) -> None:
    lines = [line.strip() for line in warm.zygote.said().splitlines() if line.strip()]
    said = f"; it said: {lines[-1]}" if lines else ""
    print(
        f"a lab kernel that forks runs has ended{said}; a fresh one is booted",
        file=sys.stderr,
        flush=True,
    )
