"""What many runs leave in a fork server and in its zygote: nothing."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest
from weir_engine.executor.local import LocalExecutor
from weir_engine.states import move
from weir_engine.store import Store
from weir_engine.task import Environment, Task
from weir_lab import memory
from weir_testing.cells import client, experiment, kernel
from weir_testing.patience import PATIENCE_S, until
from weir_testing.platform.work import key_of
from weir_testing.processes import below, descriptors

pytestmark = pytest.mark.kernel

WARM_UP = 20
"""Runs until allocators and caches have what they keep."""
GROWN_MIB = 16
"""Of all processes' own memory, by chance: of each of 10,000 runs 1.7 kB."""
LONG_S = 3 * 3600.0


@pytest.mark.parametrize(
    "runs",
    [30, pytest.param(10_000, marks=[pytest.mark.long, pytest.mark.timeout(LONG_S)])],
)
def test_many_runs_leave_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, runs: int
) -> None:
    memory_in = tmp_path / "memory"
    memory_in.mkdir()
    monkeypatch.setenv(memory.FOLDER, str(memory_in))
    environment = Environment(tmp_path / "store", kernel(), {"hash": "r" * 32}, PATIENCE_S)
    folders = (memory_in, Store(environment.store).temporary)
    history = move(move([], "pending"), "queued")
    asked = experiment({"duration_s": 4.0}, client())
    task = Task(key_of(1), "small", {}, 1, 1, asked, replaces=True, history=history)
    number, began = 0, dict[str, int]()
    # Servers that other tests started and left to those after them take what they take.
    others = {pid for pid in below(os.getpid()) if pid != os.getpid()}

    def grown() -> dict[str, int]:
        now = held(others, *folders)
        now["own MiB"] -= GROWN_MIB
        return {name: count for name, count in now.items() if count > began[name]}

    for event in LocalExecutor(environment, 1).execute(iter([task] * (WARM_UP + runs))):
        if event.state == "running":
            continue
        assert event.state == "succeeded", event.reason
        number += 1
        if number == WARM_UP:
            began |= held(others, *folders)
        if number == WARM_UP + runs:  # and not later, when the fork server ends
            until(lambda: not grown(), f"what it held at the beginning, {began}", patience_s=60)
    assert number == WARM_UP + runs and began["descriptors"] > 0


def held(others: set[int], *folders: Path) -> dict[str, int]:
    """By this process and all below it but the others. own MiB: of memory that is no file's."""
    pids = {pid: kib for pid in below(os.getpid(), others) if (kib := anonymous_kib(pid))}
    fds = [fd for pid in pids for fd in descriptors(pid)]
    return {
        "descriptors": len(fds),
        "processes": len(pids),
        "own MiB": sum(pids.values()) >> 10,
        "guests' MiB": sum(guest_bytes(fds).values()) >> 20,
        "files": sum(len(names) for at in folders for _, *both in os.walk(at) for names in both),
    }


def anonymous_kib(pid: int) -> int:
    """0: it has ended."""
    with suppress(FileNotFoundError, ProcessLookupError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1])
    return 0


def guest_bytes(fds: list[Path]) -> dict[int, int]:
    """What files of guests' memory take, by their number."""
    found = {}
    for fd in fds:
        with suppress(FileNotFoundError):
            if "weir-memory-" in os.readlink(fd):  # noqa: PTH115 - a deleted file is no path
                state = fd.stat()
                found[state.st_ino] = state.st_blocks * 512
    return found
