"""What forks a task's run, and the folder of a run that is forked.

Lab kernels that wait are of the lab's own kernel. One that a campaign changes is code that it
brings, and ends with its run: such a run's process, confined and in the run's control group, boots
the zygote.
"""

from __future__ import annotations

import functools
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

from weir.errors import WeirError
from weir_lab import plan, virtual
from weir_lab.confine import cgroup
from weir_lab.forked import PATIENCE_S, Lent, settle
from weir_lab.guest.plan import Plan
from weir_lab.kernel import find
from weir_lab.zygotes import Warm, Zygotes

from weir_engine.store import Store
from weir_engine.task import Environment, Task, kernel_of

__all__ = ["Chosen", "chosen", "lent_by", "of_store"]

_RUN: Final = "run"


@dataclass(frozen=True)
class Chosen:
    """What forks a run, and the run's plan, which it was chosen by."""

    warm: Warm
    plan: Plan


def of_store(store: Store) -> Zygotes:
    """Zygotes whose runs are in a store's temporary folders."""
    numbers = count(1)
    return Zygotes(lambda: store.new_temporary(f"zygote-{next(numbers)}"))


def chosen(task: Task, environment: Environment, zygotes: Zygotes) -> Chosen | None:
    """A zygote for a task's run. None: the run boots one itself, and tells what is wrong where it
    cannot."""
    kernel = kernel_of(task, environment)
    theirs = task.kernel is not None and kernel.hash != _own_hash()
    if task.experiment["clock"] != "virtual" or theirs or not kernel.path.exists():
        return None
    with suppress(OSError, WeirError):
        planned = plan.make(task.experiment, task.seed)
        return Chosen(zygotes.of(virtual.shape(task.experiment, planned, kernel)), planned)
    return None


@functools.cache
def _own_hash() -> str:
    """Of the lab's own kernel; empty where it cannot be told."""
    with suppress(OSError, WeirError):
        found = find()
        return found.hash if found else ""
    return ""


@contextmanager
def lent_by(
    choice: Chosen | None,
    work: Path,
    group: cgroup.Group | None,
    patience_s: float = PATIENCE_S,
) -> Iterator[tuple[Path, Lent | None]]:
    """Where a run's folder `work`, which is not there yet, is until the end of the block, with a
    link from where it will be; and what the run is lent: at the end of the block it is over.

    patience_s: how long the zygote may take for that.
    Raises OSError.
    """
    if choice is None:
        work.mkdir()
        yield work, None
        return
    warm = choice.warm
    within = warm.runs / _RUN
    line = _line(warm, group)
    try:
        within.mkdir()
        work.symlink_to(within)
        yield within, Lent(choice.plan, line)
    finally:
        if not settle(line, patience_s):
            warm.zygote.close()
        work.unlink(missing_ok=True)
        with suppress(FileNotFoundError):  # it could not be made
            within.rename(work)


def _line(warm: Warm, group: cgroup.Group | None) -> socket.socket:
    if group is None:
        return warm.zygote.line()
    procs = os.open(group.folder / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC)
    try:
        return warm.zygote.line(procs)
    finally:
        os.close(procs)
