"""Which cores an executor's workers have."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from weir_engine.executor.local import LocalExecutor
from weir_engine.executor.spawn import ForkServer
from weir_engine.states import move
from weir_engine.task import Environment, Task
from weir_testing.platform.work import behaving, key_of

ALL = frozenset(os.sched_getaffinity(0))
ONE_EACH = Counter(frozenset({core}) for core in ALL)


class Workers:
    """An executor's, with what each run finds of them at its start."""

    def __init__(self, environment: Environment, count: int) -> None:
        self._servers: list[ForkServer] = []
        self.executor = LocalExecutor(environment, count, self._start)

    def _start(self, environment: Environment) -> ForkServer:
        self._servers.append(ForkServer(environment))
        return self._servers[-1]

    def alive(self) -> list[int]:
        return [server.pid for server in self._servers if server.alive]

    def at_starts(self, *tasks: Task) -> Iterator[Counter[frozenset[int]]]:
        """Carry them out; the cores of the workers as each begins."""
        for event in self.executor.execute(tasks):
            if event.state == "running" and event.film_s is None:
                yield Counter(frozenset(os.sched_getaffinity(pid)) for pid in self.alive())


def task(number: int, behave: str = "slow", clock: Literal["virtual", "real"] = "virtual") -> Task:
    history = move(move([], "pending"), "queued")
    made = Task(key_of(number), "small", {}, number, number, behaving(behave), history=history)
    return replace(made, experiment={**made.experiment, "clock": clock})


def test_each_has_one_of_its_own(environment: Environment) -> None:
    *_, last = Workers(environment, len(ALL)).at_starts(*map(task, range(len(ALL))))
    assert last == ONE_EACH


def test_a_run_on_the_real_clock_has_all_and_the_next_one_again(environment: Environment) -> None:
    workers = Workers(environment, len(ALL))
    first, real, last = workers.at_starts(task(0), task(1, clock="real"), task(2))
    assert real == Counter([ALL])
    assert first == last and first <= ONE_EACH


def test_one_that_died_leaves_its_own_to_the_next(environment: Environment) -> None:
    workers = Workers(environment, len(ALL))
    starts = workers.at_starts(*(task(number, "hangs") for number in range(len(ALL) + 1)))
    for _ in ALL:
        next(starts)
    os.kill(workers.alive()[0], signal.SIGKILL)
    assert next(starts) == ONE_EACH
    workers.executor.kill()
    assert not list(starts)


def test_fewer_or_more_than_cores_have_none(environment: Environment) -> None:
    for count in {len(ALL) - 1, len(ALL) + 1} - {0}:
        assert list(Workers(environment, count).at_starts(task(count))) == [Counter([ALL])]
