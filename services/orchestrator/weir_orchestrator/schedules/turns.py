"""Work of teams that may have to wait for servers of theirs: beside each other, and in turn.

A team has one place at a time, so that a slow repository delays nights of its own team alone.
Where more teams wait than there are places, each gets one for one job and stands in line again.
"""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

__all__ = ["Job", "Take", "Turns"]

_AT_ONCE: Final = 8
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Job:
    """Of a team. key: the same whenever it is offered again. do: whether it got any further."""

    team: uuid.UUID
    key: str
    do: Callable[[], bool]

    def attempt(self) -> bool:
        """Do it. False also where that fails: it is offered again, and others do not wait."""
        try:
            return self.do()
        except Exception as error:
            _log.warning("%s: %s: %s", self.key, type(error).__name__, error)
            return False


Take = Callable[[Sequence[Job]], object]
"""Does jobs or leaves them: they are offered again for as long as they are there."""


class Turns:
    """Takes what its places allow: teams first, and of a team jobs, whose last turn is longest ago.

    What is offered at a time is all that there is of a kind.
    """

    def __init__(self, at_once: int = _AT_ONCE) -> None:
        self._pool = ThreadPoolExecutor(at_once, thread_name_prefix="turn")
        self._places = at_once
        self._busy: set[uuid.UUID] = set()
        self._turn = 0
        self._last: dict[uuid.UUID | str, int] = {}
        self._lock = threading.Lock()

    @property
    def busy(self) -> set[uuid.UUID]:
        """Teams of which a job is being done."""
        with self._lock:
            return set(self._busy)

    def take(self, jobs: Sequence[Job]) -> None:
        """Begin those whose turn it is; does not wait for their end."""
        with self._lock:
            here = {name for each in jobs for name in (each.team, each.key)}
            self._last = {each: turn for each, turn in self._last.items() if each in here}
            for job in sorted(jobs, key=self._waited):
                if len(self._busy) == self._places:
                    return
                if job.team not in self._busy:
                    self._turn += 1
                    self._last[job.team] = self._last[job.key] = self._turn
                    self._busy.add(job.team)
                    self._pool.submit(self._do, job)

    def close(self) -> None:
        """Ends when the jobs that were begun have."""
        self._pool.shutdown()

    def _waited(self, job: Job) -> tuple[int, int]:
        return self._last.get(job.team, 0), self._last.get(job.key, 0)

    def _do(self, job: Job) -> None:
        try:
            job.attempt()
        finally:
            with self._lock:
                self._busy.discard(job.team)
