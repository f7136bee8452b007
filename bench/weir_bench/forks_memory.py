"""What lab kernels that wait hold of memory, and a run that is forked off one. For bench/forks.py.

Counted as what would come free: the blocks of guests' memory, which is in files without a name in
shared memory, and of each process its proportional set size but for what it has mapped of those.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from unittest import mock

from weir_bench.common import SCENARIO_1, require_kernel
from weir_bench.forks_play import WALL_LIMIT_S, carry_out, one_client
from weir_engine import provenance
from weir_engine.executor import spawn
from weir_engine.task import Environment, Task
from weir_lab import zygotes
from weir_lab.confine import system

SLOTS = 2
FILM_S = 60.0
SAMPLE_S = 0.02
MIB = 2**20
_FOR_EVER = "from weir_lab import zygotes; zygotes.UNUSED_S = 86400.0; "
"""Where the machine is slow, no zygote is ended meanwhile."""
_KCMP, _KCMP_VM = 312, 1


def measured() -> dict[str, float]:
    """MiB. pool: zygotes that wait for two slots, as many shapes as each keeps; pool_one_shape: of
    one shape. run: at most, of a fork and its run's process; run_kernel: of the fork. slots: the
    fork servers by themselves.
    """
    asked = one_client(str(SCENARIO_1), FILM_S)
    shapes = [_of_clients(asked, number) for number in range(1, zygotes.MOST + 1)]
    with (
        tempfile.TemporaryDirectory() as store,
        mock.patch.object(spawn, "PROGRAM", _FOR_EVER + spawn.PROGRAM),
        contextlib.ExitStack() as ending,
    ):
        environment = Environment(Path(store), require_kernel(), provenance.roles(), WALL_LIMIT_S)
        slots = [spawn.ForkServer(environment) for _ in range(SLOTS)]
        for each in slots:
            ending.callback(each.shut)
        found: dict[str, float] = {}
        for number, shape in enumerate(shapes):
            for own, each in enumerate(slots):
                carry_out(each, replace(shape, key=f"{number:031x}{own:x}"))
            if number == 0:
                waiting = _below()
                found["pool_one_shape_mib"] = _zygotes()
                found["slots_mib"] = waiting - found["pool_one_shape_mib"]
                most, most_of_kernels = _peaks(slots[0], replace(shape, key="f" * 32))
                found["run_mib"] = most - waiting
                found["run_kernel_mib"] = most_of_kernels - found["pool_one_shape_mib"]
        found["pool_mib"] = _zygotes()
    return {name: round(value / MIB, 1) for name, value in found.items()}


def _of_clients(task: Task, number: int) -> Task:
    (client,) = task.experiment["clients"]
    return replace(task, experiment={**task.experiment, "clients": [client] * number})


def _peaks(slot: spawn.ForkServer, task: Task) -> tuple[int, int]:
    """At most, while a run goes on: of all that is below this process, and of lab kernels."""
    most = most_of_kernels = 0
    with ThreadPoolExecutor(1) as one:
        running = one.submit(carry_out, slot, task)
        while not running.done():
            most = max(most, _below())
            most_of_kernels = max(most_of_kernels, _zygotes())
            time.sleep(SAMPLE_S)
    running.result()
    return most, most_of_kernels


def _below() -> int:
    return _held(_tree(os.getpid())[1:])


def _zygotes() -> int:
    """Of those that wait, whose command line names their socket, and of their forks."""
    roots = [pid for pid in _tree(os.getpid()) if b"\0zygote=" in _read(pid, "cmdline")]
    return _held({below for pid in roots for below in _tree(pid)})


def _held(pids: Iterable[int]) -> int:
    memories: dict[tuple[int, int], int] = {}
    total = 0
    for pid in pids:
        total += _own_bytes(pid)
        with contextlib.suppress(OSError):
            for fd in Path(f"/proc/{pid}/fd").iterdir():
                with contextlib.suppress(OSError):
                    if "weir-memory-" in str(fd.readlink()):
                        state = fd.stat()
                        memories[state.st_dev, state.st_ino] = state.st_blocks * 512
    return total + sum(memories.values())


def _own_bytes(pid: int) -> int:
    """Proportional set size without shared memory; 0 for a process that is gone, or has its
    parent's memory, as what forks in a zygote."""
    with contextlib.suppress(OSError, IndexError):
        parent = int(_read(pid, "stat").rpartition(b")")[2].split()[1])
        if system.call(_KCMP, parent, pid, _KCMP_VM, 0, 0) == 0:
            return 0
    sizes = dict(line.split(b":") for line in _read(pid, "smaps_rollup").splitlines()[1:])
    return 1024 * sum(int(sizes.get(name, b"0").split()[0]) for name in (b"Pss_Anon", b"Pss_File"))


def _tree(pid: int) -> list[int]:
    """A process and all below it."""
    children = [
        int(child)
        for task in Path(f"/proc/{pid}/task").glob("*/children")
        for child in _text(task).split()
    ]
    return [pid, *(below for child in children for below in _tree(child))]


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:  # it has ended
        return ""


def _read(pid: int, name: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:  # it has ended
        return b""
