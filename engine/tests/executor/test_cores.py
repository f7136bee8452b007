"""Which cores an executor's workers have."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Iterator

from weir_engine.executor.local import LocalExecutor
from weir_engine.executor.spawn import ForkServer
from weir_engine.task import Environment, Task
from weir_testing.platform.work import queued

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


def test_each_has_one_of_its_own(environment: Environment) -> None:
    tasks = [queued(number, "slow") for number in range(len(ALL))]
    *_, last = Workers(environment, len(ALL)).at_starts(*tasks)
    assert last == ONE_EACH


def test_a_run_on_the_real_clock_has_all_and_the_next_one_again(environment: Environment) -> None:
    workers = Workers(environment, len(ALL))
    first, real, last = workers.at_starts(
        queued(0, "slow"), queued(1, "slow", clock="real"), queued(2, "slow")
    )
    assert real == Counter([ALL])
    assert first == last and first <= ONE_EACH


def test_one_that_died_leaves_its_own_to_the_next(environment: Environment) -> None:
    workers = Workers(environment, len(ALL))
    starts = workers.at_starts(*(queued(number, "hangs") for number in range(len(ALL) + 1)))
    for _ in ALL:
        next(starts)
    os.kill(workers.alive()[0], signal.SIGKILL)
    assert next(starts) == ONE_EACH
    workers.executor.kill()
    assert not list(starts)


def test_fewer_or_more_than_cores_have_none(environment: Environment) -> None:
    for count in {len(ALL) - 1, len(ALL) + 1} - {0}:
        assert list(Workers(environment, count).at_starts(queued(count, "slow"))) == [
            Counter([ALL])
        ]
