"""The local executor: a pool of warm worker processes on this machine."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import wait

from weir_engine import machine
from weir_engine.errors import is_disk_full
from weir_engine.executor.admission import may_start
from weir_engine.executor.cores import Cores
from weir_engine.executor.spawn import ForkServer
from weir_engine.keep import Outcome, record_failure
from weir_engine.states import now
from weir_engine.store import Store
from weir_engine.task import Environment, RunUpdate, Task

__all__ = ["LocalExecutor"]

_TICK_S = 0.2


@dataclass
class _Worker:
    server: ForkServer
    core: int | None
    task: Task | None = None
    since: float = 0.0
    ending: bool = False
    told_to_end: bool = False


class LocalExecutor:
    """Carries tasks out with `jobs` workers; see `Executor`."""

    def __init__(
        self,
        environment: Environment,
        jobs: int,
        start: Callable[[Environment], ForkServer] = ForkServer,
    ) -> None:
        """start: begins the fork server of a worker."""
        self._environment = environment
        self._start = start
        self._jobs = jobs
        self._cores = Cores(jobs)
        self._free_bytes = 0
        self._stopping = False
        self._killing = False
        self._unwanted: set[str] = set()

    def problem(self) -> str:
        """Nothing keeps it."""
        return ""

    def stop(self) -> None:
        """Start nothing more; what runs is finished."""
        self._stopping = True

    def kill(self) -> None:
        """End what runs now; it becomes cancelled."""
        self._stopping = self._killing = True

    def cancel(self, key: str) -> None:
        """End a run, if it runs; it becomes cancelled."""
        self._unwanted.add(key)

    def execute(self, tasks: Iterable[Task | None]) -> Iterator[RunUpdate]:
        """Carry the tasks out; one `running` event and one final event for each started.

        None among the tasks: there is none now; it is asked again in a moment.
        """
        queue = iter(tasks)
        workers: list[_Worker] = []
        ahead: Task | None = None
        more = True
        try:
            while True:
                while more and not self._stopping and self._is_near(workers):
                    try:
                        ahead = ahead or next(queue)
                    except StopIteration:
                        more = False
                        break
                    if ahead is None:
                        break
                    if not self._has_room(workers) or not self._may_start(ahead, workers):
                        break
                    task, ahead = ahead, None
                    self._unwanted.discard(task.key)
                    self._send(self._idle(workers), task)
                    yield RunUpdate(task, "running")
                busy = [worker for worker in workers if worker.task is not None]
                if not busy and (self._stopping or not more):
                    return
                if not busy:
                    time.sleep(_TICK_S)
                _cancel(self._to_end(busy))
                for worker in _ready(busy):
                    if event := self._hear(worker, workers):
                        self._stopping |= event.disk_full
                        yield event
        finally:
            _shut(workers)

    def _has_room(self, workers: list[_Worker]) -> bool:
        return len(workers) < self._jobs or any(worker.task is None for worker in workers)

    def _may_start(self, task: Task, workers: list[_Worker]) -> bool:
        running = [worker.task for worker in workers if worker.task is not None]
        if not running:
            self._free_bytes = machine.available_bytes()
        return may_start(task, running, self._free_bytes)

    def _is_near(self, workers: list[_Worker]) -> bool:
        """Whether there is room for a task, or will be in a moment: until then it is fetched."""
        return self._has_room(workers) or any(worker.ending for worker in workers)

    def _to_end(self, busy: list[_Worker]) -> list[_Worker]:
        running = {worker.task.key: worker for worker in busy if worker.task}
        found = running.keys() if self._killing else running.keys() & self._unwanted
        return [running[key] for key in found]

    def _idle(self, workers: list[_Worker]) -> _Worker:
        for worker in workers:
            if worker.task is None:
                return worker
        core = self._cores.free([worker.core for worker in workers])
        workers.append(_Worker(self._start(self._environment), core))
        return workers[-1]

    def _send(self, worker: _Worker, task: Task) -> None:
        self._cores.keep(worker.server.pid, worker.core, task)
        worker.task, worker.since = task, time.monotonic()
        worker.server.carry_out(task)

    def _hear(self, worker: _Worker, workers: list[_Worker]) -> RunUpdate | None:
        """What a worker says: how far its run is, or its outcome. None: that it will end soon."""
        task = worker.task
        assert task is not None
        wall_s = time.monotonic() - worker.since
        lost = False
        try:
            outcome = worker.server.hear()
            if "ending" in outcome:
                worker.ending = True
                return None
            if "film_s" in outcome:
                return RunUpdate(task, "running", wall_s=wall_s, film_s=outcome["film_s"])
            lost = outcome.get("lost", False)
            if worker.told_to_end:
                workers.remove(worker)
                _shut([worker])
        except (EOFError, OSError):
            workers.remove(worker)
            code = worker.server.exit_code()
            outcome = self._record_lost(task, _lost(code))
            lost = code == -signal.SIGKILL
        worker.task, worker.ending = None, False
        return RunUpdate(
            task, outcome["state"], outcome["reason"], wall_s, outcome["disk_full"], lost
        )

    def _record_lost(self, task: Task, reason: str) -> Outcome:
        try:
            temporary = Store(self._environment.store).new_temporary(task.key)
        except OSError as error:
            return {"state": "failed", "reason": reason, "disk_full": is_disk_full(error)}
        return record_failure(task, self._environment, temporary, reason, now())


def _ready(busy: list[_Worker]) -> list[_Worker]:
    ready = wait([worker.server.connection for worker in busy], _TICK_S)
    return [worker for worker in busy if worker.server.connection in ready]


def _cancel(unwanted: list[_Worker]) -> None:
    for worker in unwanted:
        if not worker.told_to_end and worker.server.alive:
            worker.told_to_end = True
            worker.server.carry_out(None)


def _lost(exitcode: int) -> str:
    how = f"exit code {exitcode}"
    if exitcode < 0:
        how = f"killed by {signal.Signals(-exitcode).name}"
    return f"the worker process ended ({how}); what it said stands above"


def _shut(workers: list[_Worker]) -> None:
    for worker in workers:
        worker.server.connection.close()
    for worker in workers:
        worker.server.shut()
