"""`weir worker` with every run replaced by a second of sleep. For pods of bench/argo.py.

All else is a worker's: it claims runs, keeps a run directory of each in the object store, writes
its result and metrics to the database.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from weir.metrics import CATALOG
from weir_engine import jsonfile
from weir_engine.perform import run_document
from weir_engine.states import move
from weir_engine.store import Store
from weir_engine.task import Environment, RunUpdate, Task
from weir_orchestrator.cli import main
from weir_orchestrator.work import worker

RUN_S = 1.0
LOOK_S = 0.05


class StubExecutor:
    """Threads that sleep, in place of processes that run cells."""

    def __init__(self, environment: Environment, jobs: int) -> None:
        self._environment = environment
        self._store = Store(environment.store)
        self._jobs = jobs
        self._stopping = False

    def execute(self, tasks: Iterable[Task | None]) -> Iterator[RunUpdate]:
        """See weir_engine.executor.Executor."""
        queue = iter(tasks)
        more = True
        running: set[Future[RunUpdate]] = set()
        with ThreadPoolExecutor(self._jobs) as threads:
            while running or (more and not self._stopping):
                while more and not self._stopping and len(running) < self._jobs:
                    try:
                        task = next(queue)
                    except StopIteration:
                        more = False
                        break
                    if task is None:
                        break
                    running.add(threads.submit(self._perform, task))
                    yield RunUpdate(task, "running")
                ended, running = wait(running, LOOK_S, FIRST_COMPLETED)
                if not running and not ended:
                    time.sleep(LOOK_S)
                yield from (each.result() for each in ended)

    def _perform(self, task: Task) -> RunUpdate:
        time.sleep(RUN_S)
        out = self._store.new_temporary(task.key)
        numbers = {name: 1.0 for name, info in CATALOG.items() if info.scope == "run"}
        history = move(move(task.history, "running"), "succeeded")
        document = run_document(task, self._environment, "succeeded", "")
        jsonfile.write(out / "run.json", document)
        jsonfile.write(out / "metrics.json", {"format": 1, "run": numbers, "clients": []})
        jsonfile.write(out / "host.json", {"history": history})
        self._store.finish(out, task.key)
        return RunUpdate(task, "succeeded", wall_s=RUN_S)

    def problem(self) -> str:
        return ""

    def cancel(self, key: str) -> None:
        """A second is soon over."""

    def stop(self) -> None:
        self._stopping = True

    def kill(self) -> None:
        self._stopping = True


if __name__ == "__main__":
    worker.LocalExecutor = StubExecutor  # type: ignore[attr-defined, assignment]
    sys.exit(main(["worker", *sys.argv[1:]]))
