"""Executors carry runs out. `local`: processes on this machine. `compose`: real-clock runs on
agents that stand elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from weir_engine.task import RunUpdate, Task

__all__ = ["Executor"]


class Executor(Protocol):
    """What carries tasks out and puts the results into the store."""

    def execute(self, tasks: Iterable[Task | None]) -> Iterator[RunUpdate]:
        """Carry the tasks out; one `running` event and one final event for each started.

        None among the tasks: there is none now; it is asked again in a moment. One may be asked
        for while a run writes its results; where it is told to stop then, it is not started.
        """
        ...

    def problem(self) -> str:
        """Why it starts less than it could, or nothing; empty where it does not."""
        ...

    def cancel(self, key: str) -> None:
        """End a run, if it runs; it becomes `cancelled`. May be called from another thread."""
        ...

    def stop(self) -> None:
        """Start nothing more; what runs is finished. May be called from a signal handler."""
        ...

    def kill(self) -> None:
        """End what runs now; it becomes `cancelled`. May be called from a signal handler."""
        ...
