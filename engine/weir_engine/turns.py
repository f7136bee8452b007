"""In which order runs are begun, so that no core is idle at the end.

A campaign's runs are begun in its order, so that what is reported so far is of whole combinations.
But one that takes long is begun before what is left would end sooner than it on the other cores.
"""

from __future__ import annotations

import statistics
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence

from weir_engine import cost
from weir_engine.states import FINISHED
from weir_engine.task import RunUpdate, Task

__all__ = ["Turns"]


class Turns:
    """Iterates over a campaign's tasks, each once. `note` tells it what runs have taken."""

    def __init__(self, tasks: Sequence[Task], jobs: int) -> None:
        """jobs: how many are carried out at a time."""
        self._tasks, self._jobs = tasks, jobs
        self._left: dict[int, deque[int]] = defaultdict(deque)
        """Their positions, by experiment: replicates share it."""
        for position, task in enumerate(tasks):
            self._left[id(task.experiment)].append(position)
        self._expected_s = {
            each: cost.expected(tasks[some[0]].experiment).wall_s
            for each, some in self._left.items()
        }
        self._taken_s: dict[int, list[float]] = defaultdict(list)

    def __iter__(self) -> Iterator[Task]:
        begun = [False] * len(self._tasks)
        first, look_at = 0, len(begun)
        for left in range(len(begun), 0, -1):
            position = None
            if left <= look_at:
                position = self._late()
                # A look is at all experiments: of a hundred tasks that are left, after each one.
                look_at = left - 1 if position is not None else left - 1 - left // 100
            if position is None:
                first = position = begun.index(False, first)
            begun[position] = True
            task = self._tasks[position]
            self._left[id(task.experiment)].popleft()
            yield task

    def note(self, update: RunUpdate) -> None:
        """Learn from the end of a run how long others of its experiment take."""
        if update.state in FINISHED:
            self._taken_s[id(update.task.experiment)].append(update.wall_s)

    def _late(self) -> int | None:
        """The position of the longest task, where it would be the last to end; None: in order."""
        takes_s = self._costs()
        longest = max(takes_s, key=takes_s.__getitem__)
        left_s = sum(took_s * len(self._left[each]) for each, took_s in takes_s.items())
        return self._left[longest][0] if takes_s[longest] >= left_s / self._jobs else None

    def _costs(self) -> dict[int, float]:
        """Expected wall time of a run, by experiment: as measured, or as others were measured."""
        measured = {each: statistics.fmean(some) for each, some in self._taken_s.items()}
        ratios = [took_s / self._expected_s[each] for each, took_s in measured.items()]
        slower = statistics.median(ratios) if ratios else 1.0
        return {
            each: measured.get(each, slower * self._expected_s[each])
            for each, some in self._left.items()
            if some
        }
