"""Nothing of a lab kernel outlives the worker that booted it, at whatever moment that is killed."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from weir_testing.command import processes_in
from weir_testing.patience import until

pytestmark = pytest.mark.kernel

KILLS = 20
GUESTS = 5
"""Processes that every guest has at some moment, at least."""
WORKERS = """
import os, sys
from pathlib import Path
from weir_testing import cells
for line in sys.stdin:
    worker = os.fork()
    if not worker:
        cells.Runner(cells.kernel(), Path(line.strip()))(cells.experiment({"duration_s": 10.0}))
        os._exit(0)
    print(worker, flush=True)
    os.waitpid(worker, 0)
"""


def children(pid: int) -> list[int]:
    """Of a process of one thread; none where it has ended."""
    try:
        return [
            int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        ]
    except OSError:
        return []


def kill_as_one_is_made(worker: int, older: int) -> None:
    """Kill a worker and its lab kernel as that has begun a process of its guest, after so many.

    Without a rest between looks, in which that moment would pass.
    """
    while not (kernels := children(worker)):
        os.sched_yield()
    while len(children(kernels[0])) <= older and children(worker):
        pass
    for pid in (*kernels, worker):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


@pytest.mark.usefixtures("kernel")
def test_a_process_of_a_guest_that_is_being_made_dies_with_all_above(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WORKERS]
    with subprocess.Popen(
        command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as workers:
        assert workers.stdin is not None
        assert workers.stdout is not None
        for kill in range(KILLS):
            folder = tmp_path / f"{kill}"
            folder.mkdir()
            workers.stdin.write(f"{folder}\n")
            workers.stdin.flush()
            kill_as_one_is_made(int(workers.stdout.readline()), older=kill % GUESTS)
            until(partial(nothing_in, folder), "the end of every process of the lab kernel")


def nothing_in(folder: Path) -> bool:
    """Whether no process works in a folder below it."""
    return not processes_in(folder)
