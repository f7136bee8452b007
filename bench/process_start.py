"""Start of a run's process: forked by a warm worker, and by multiprocessing's forkserver.

In turns, with the same modules imported beforehand: from the task to the child's first line, and
to its end being known. What the child then does is the same, and is not done here.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

MODULES = ("numpy", "pyarrow.parquet", "weir.rundir", "weir.metrics", "weir_lab.cell")
PAIRS = 200


def warm_worker(connection: Connection) -> None:
    """Forks for each task, as the fork server of `weir run` does."""
    for name in MODULES:
        importlib.import_module(name)
    while connection.recv() is not None:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(writing, str(time.monotonic_ns()).encode())
            os._exit(0)
        os.close(writing)
        began = int(os.read(reading, 64))
        os.close(reading)
        os.waitpid(child, 0)
        connection.send(began)


def begin(connection: Connection, task: Any) -> None:
    """A child of the library's fork server."""
    connection.send(time.monotonic_ns())
    connection.close()
    os._exit(0)


def by_worker(connection: Connection, task: Any) -> int:
    """When the child began."""
    connection.send(task)
    began: int = connection.recv()
    return began


def by_library(context: Any, task: Any) -> int:
    """When the child began."""
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=begin, args=(theirs, task))
    process.start()
    theirs.close()
    began: int = ours.recv()
    process.join()
    ours.close()
    return began


def measure(json: bool) -> None:
    """Print medians in milliseconds, and of the difference of pairs."""
    # Not above: each child of the library's fork server imports this module again.
    from weir_bench.common import reference_run, show

    task = reference_run().experiment
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    worker = spawn.Process(target=warm_worker, args=(theirs,))
    worker.start()
    library = multiprocessing.get_context("forkserver")
    library.set_forkserver_preload(list(MODULES))
    ways: dict[str, Callable[[], int]] = {
        "worker": lambda: by_worker(ours, task),
        "library": lambda: by_library(library, task),
    }
    first: dict[str, list[float]] = {name: [] for name in ways}
    whole: dict[str, list[float]] = {name: [] for name in ways}
    # The first of each also waits for the imports.
    for way in ways.values():
        way()
    for turn in range(PAIRS):
        for name in sorted(ways, reverse=bool(turn % 2)):
            asked = time.monotonic_ns()
            first[name].append((ways[name]() - asked) / 1e6)
            whole[name].append((time.monotonic_ns() - asked) / 1e6)
    ours.send(None)
    worker.join()
    found = {f"{name}_first_line_ms": statistics.median(took) for name, took in first.items()}
    found |= {f"{name}_until_its_end_ms": statistics.median(took) for name, took in whole.items()}
    pairs = zip(whole["library"], whole["worker"], strict=True)
    found["difference_ms"] = statistics.median(theirs - mine for theirs, mine in pairs)
    found |= {f"{name}_least_ms": min(took) for name, took in whole.items()}
    show({name: round(value, 2) for name, value in found.items()}, json)


def main(json: bool = False) -> int:
    """As a program of its own, which processes that are not forked can import."""
    return subprocess.call([sys.executable, __file__, *(["--json"] if json else [])])


if __name__ == "__main__":
    measure("--json" in sys.argv)
