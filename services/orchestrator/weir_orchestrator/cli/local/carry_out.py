"""Runs carried out on this machine, with their progress told, until they end or are stopped."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from weir_orchestrator.cli.common import errors
from weir_orchestrator.cli.local.progress import Tally

if TYPE_CHECKING:
    from weir_engine.executor import Executor
    from weir_engine.task import RunUpdate, Task

__all__ = ["carry_out"]


def carry_out(
    executor: Executor,
    to_do: Iterable[Task | None],
    most: int,
    note: Callable[[RunUpdate], None] = lambda event: None,
) -> tuple[Tally, str]:
    """What was done, and how it ended: through, interrupted or full (the disk)."""
    end = "through"
    with Tally(most) as tally, _interruptible(executor) as asked:
        for event in executor.execute(to_do):
            note(event)
            tally.add(event)
            if event.disk_full:
                end = "full"
    return tally, "interrupted" if asked and end == "through" else end


@contextmanager
def _interruptible(executor: Executor) -> Iterator[list[int]]:
    """First signal: finish what runs. Second: end it now. Gives the list of signals."""
    asked: list[int] = []

    def handle(number: int, frame: object) -> None:
        asked.append(number)
        if len(asked) == 1:
            errors("stopping: what runs now is finished (again to end it at once)")
            executor.stop()
        else:
            executor.kill()

    before: dict[int, Callable[..., Any] | int | None] = {
        number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
