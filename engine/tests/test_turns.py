"""In which order a campaign's runs are begun."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from weir_engine import cost
from weir_engine.task import RunUpdate, Task
from weir_engine.turns import Turns
from weir_testing.spec import resolved


def _runs(first: int, count: int, **changes: Any) -> list[Task]:
    experiment = resolved(**changes)
    return [
        Task(f"{number:032x}", "turns", {}, number, number, experiment)
        for number in range(first, first + count)
    ]


def _ends(tasks: Sequence[Task], jobs: int) -> tuple[list[int], float]:
    """Replicates as they were begun, and when the last of them ended, of runs that take as long as
    is expected of them."""
    turns = Turns(tasks, jobs)
    free_s = [0.0] * jobs
    begun = []
    for task in turns:
        takes_s = cost.expected(task.experiment).wall_s
        free_s.sort()
        free_s[0] += takes_s
        begun.append(task.replicate)
        turns.note(RunUpdate(task, "succeeded", wall_s=takes_s))
    return begun, max(free_s)


def test_runs_that_take_as_long_keep_their_order() -> None:
    begun, _ = _ends(_runs(0, 20, duration="10s"), 2)
    assert begun == list(range(20))


def test_a_long_run_at_the_end_is_begun_in_time() -> None:
    tasks = [*_runs(0, 200, duration="10s"), *_runs(200, 1, duration="3h")]
    work_s = sum(cost.expected(task.experiment).wall_s for task in tasks)
    begun, end_s = _ends(tasks, 2)
    assert end_s < 1.02 * work_s / 2
    assert begun.index(200) in range(90, 121), "it was begun neither first nor last"
    assert [number for number in begun if number != 200] == list(range(200))


def test_what_runs_took_is_learnt() -> None:
    """Two experiments that look alike, of which one takes fifty times as long."""
    quick, slow = _runs(0, 100, duration="10s"), _runs(100, 2, duration="10s")
    turns = Turns([*slow[:1], *quick, *slow[1:]], 2)
    begun = []
    for task in turns:
        begun.append(task.replicate)
        takes_s = 50.0 if task.experiment is slow[0].experiment else 1.0
        turns.note(RunUpdate(task, "succeeded", wall_s=takes_s))
    assert begun[0] == 100
    assert begun.index(101) < 60
    assert begun[-1] < 100


def test_a_failed_run_teaches_nothing() -> None:
    tasks = [*_runs(0, 2, duration="100s"), *_runs(2, 3, duration="20s")]
    turns = Turns(tasks, 2)
    begun = []
    for task in turns:
        begun.append(task.replicate)
        turns.note(RunUpdate(task, "failed", wall_s=0.001))
    assert begun == [0, 1, 2, 3, 4]


def test_one_at_a_time_keeps_the_order() -> None:
    tasks = [*_runs(0, 5, duration="10s"), *_runs(5, 1, duration="3h")]
    assert _ends(tasks, 1)[0] == list(range(6))
