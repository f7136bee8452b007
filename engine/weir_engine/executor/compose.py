"""The `compose` executor: runs on the real clock, on cells whose agents stand elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from weir_engine.executor.cell_pool import CellPool
from weir_engine.executor.live_cell import LiveCell
from weir_engine.executor.local import LocalExecutor
from weir_engine.task import Environment, Placement, RunUpdate, Task

__all__ = ["CellExecutor"]


class CellExecutor:
    """Carries tasks out on cells, one at a time on each; see `Executor`.

    A run's process is the local executor's; only its hosts are elsewhere. Tasks are asked for
    while a cell is free and well. `token`: what the agents want.
    """

    def __init__(self, environment: Environment, cells: Sequence[LiveCell], token: str) -> None:
        self._local = LocalExecutor(replace(environment, executor="compose"), len(cells))
        self._pool = CellPool(cells, token)
        self._token = token

    def execute(self, tasks: Iterable[Task | None]) -> Iterator[RunUpdate]:
        """Carry the tasks out; one `running` event and one final event for each started.

        None among the tasks: there is none now; it is asked again in a moment.
        """
        with self._pool.watched():
            for event in self._local.execute(self._placed(tasks)):
                if event.state != "running":
                    self._pool.release(event.task.key)
                yield event

    def problem(self) -> str:
        """Why cells cannot be used now; empty where all can."""
        return self._pool.problem()

    def cancel(self, key: str) -> None:
        """End a run, if it runs; it becomes cancelled. May be called from another thread."""
        self._local.cancel(key)

    def stop(self) -> None:
        """Start nothing more; what runs is finished. May be called from a signal handler."""
        self._local.stop()

    def kill(self) -> None:
        """End what runs now; it becomes cancelled. May be called from a signal handler."""
        self._local.kill()

    def _placed(self, tasks: Iterable[Task | None]) -> Iterator[Task | None]:
        for task in self._while_room(tasks):
            if task is None:
                yield None
                continue
            while (placed := self._place(task)) is None:
                yield None
            yield placed

    def _while_room(self, tasks: Iterable[Task | None]) -> Iterator[Task | None]:
        queue = iter(tasks)
        while True:
            if not self._pool.free():
                yield None
                continue
            try:
                yield next(queue)
            except StopIteration:
                return

    def _place(self, task: Task) -> Task | None:
        players = [client["player"] for client in task.experiment["clients"]]
        agents = self._pool.place(task.key, players)
        if agents is None:
            return None
        return replace(task, placement=Placement(agents.hosts(players), self._token))
