"""What comes one by one is handed on in groups, by some threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Final, Generic, Self, TypeVar

from weir_orchestrator.work.pace import MOST_AT_ONCE

__all__ = ["Together"]

T = TypeVar("T")
_WAIT_S: Final = 0.2
"""For what comes next, where it comes fast. Nothing waits for what has ended."""


class Together(Generic[T]):
    """Calls `do` with what was put, in several threads; at its end with all that is left.

    `do` raises nothing. fast: whether more may come within a moment.
    """

    def __init__(
        self, threads: int, do: Callable[[list[T]], None], fast: Callable[[], bool]
    ) -> None:
        self._do, self._fast = do, fast
        self._items: SimpleQueue[T | None] = SimpleQueue()
        self._gathering = threading.Lock()
        self._threads = [
            threading.Thread(target=self._work, name=f"finish-{number}")
            for number in range(threads)
        ]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._items.put(None)
        for thread in self._threads:
            thread.join()

    def put(self, item: T) -> None:
        self._items.put(item)

    def _work(self) -> None:
        while group := self._gather():
            self._do(group)

    def _gather(self) -> list[T]:
        """The next group; empty at the end."""
        with self._gathering:  # one thread at a time: two would halve each other's groups
            group: list[T] = []
            until_s = 0.0
            while len(group) < MOST_AT_ONCE:
                try:
                    item = self._items.get(timeout=self._left_s(until_s) if group else None)
                except Empty:
                    break
                if item is None:
                    self._items.put(None)  # for the others, and for the next look
                    break
                if not group:
                    until_s = time.monotonic() + (_WAIT_S if self._fast() else 0.0)
                group.append(item)
            return group

    @staticmethod
    def _left_s(until_s: float) -> float:
        return max(0.0, until_s - time.monotonic())
