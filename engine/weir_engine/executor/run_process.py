"""A run's own process: confined before it looks at anything that others' code left.

It is forked from the fork server, which was executed afresh, with an environment without secrets,
and has never met a database, an object store or another run. What it can read, write and reach is
`weir_lab.confine.profile.run`; what it writes is taken from it by `weir_engine.taking`.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

from weir_lab import (
    browser_memory,
    confine,
    memory,
    packages,
    parent,
    players,
    priority,
    programs,
)
from weir_lab.boot import Boot
from weir_lab.confine import cgroup, profile
from weir_lab.forked import Lent

from weir_engine import jsonfile
from weir_engine.ended import MOST_BYTES
from weir_engine.perform import carry_out
from weir_engine.task import Environment, Task, kernel_of

__all__ = ["PROCESSES", "Means", "live", "memory_bytes", "memory_for"]

PROCESSES: Final = 4096
"""Of a run at once: each of the guests' is one here, too. Far above an honest run's hundreds."""
_HOST_BYTES: Final = 4 * 2**30


@dataclass(frozen=True)
class Means:
    """What a run is given. work: its folder. kept: that for its guests' memory, where its process
    boots them. group: its own, where there is one. lent: what forks it, where a zygote does that
    waits."""

    work: Path
    kept: Path | None
    group: cgroup.Group | None
    lent: Lent | None


def live(
    task: Task, environment: Environment, means: Means, writing: int, started_by: int
) -> NoReturn:
    """Carry the run out, tell how far it is and how it ended, and end this process.

    writing: the pipe to tell it by. started_by: the process to end with.
    """
    code = 1
    try:
        if means.group is not None:
            means.group.join()
        os.setpgid(0, 0)
        parent.die_with(started_by)
        signal.signal(signal.SIGTERM, _leave if task.placement else signal.SIG_DFL)
        folders = [means.work]
        if means.kept is not None:
            os.environ[memory.FOLDER] = str(means.kept)
            folders.append(means.kept)
        os.environ["TMPDIR"] = str(means.work)
        if task.experiment["clock"] == "real" and not task.placement:
            priority.ask()  # the sandbox lets nobody ask any more
        with confine.ready(_profile(task, environment, folders)) as confinement:
            confinement.enter()
        ended = carry_out(
            task, environment, means.work, lambda what: _tell(writing, what), means.lent
        )
        _tell(writing, ended.model_dump())
        code = 0
    finally:
        os._exit(code)


def memory_for(task: Task) -> memory.Folder:
    """A folder for the memory of a run's guests."""
    return memory.make(_guest_mib(task))


def memory_bytes(task: Task) -> int:
    """What a run may take together: its guest's memory, and 4 GiB for what reads what it left."""
    return _guest_mib(task) * 2**20 + _HOST_BYTES


def _guest_mib(task: Task) -> int:
    clients, own = len(task.experiment["clients"]), programs.count(task.experiment)
    more_mib = browser_memory.more_mib(task.experiment)
    return Boot(0, clients, 0, 0, programs=own, more_mib=more_mib).memory_mib


def _profile(task: Task, environment: Environment, folders: list[Path]) -> profile.Profile:
    kernel = kernel_of(task, environment)
    readable = {*packages.folders(http2=True).values(), *filter(None, sys.path)}
    if programs.count(task.experiment):
        readable.add(str(players.root()))
    real = task.experiment["clock"] == "real"
    # Agents of a run's own find it by its note.
    of_kernel = [kernel.path, *([kernel.path.with_name("kernel.json")] if real else [])]
    return profile.run(map(Path, sorted(readable)), of_kernel, folders, sockets=real)


def _leave(*_: Any) -> None:
    """Sets the cell's agents free on the way out; they would wait for this process in vain."""
    raise SystemExit


def _tell(writing: int, what: Mapping[str, object]) -> None:
    line = memoryview(jsonfile.line(what).encode() + b"\n")
    assert len(line) <= MOST_BYTES
    while line:
        line = line[os.write(writing, line) :]
