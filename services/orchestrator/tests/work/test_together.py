"""What comes one by one is handed on in groups."""

from __future__ import annotations

import threading

from weir_orchestrator.work.pace import MOST_AT_ONCE
from weir_orchestrator.work.together import Together


def test_what_comes_while_a_group_is_worked_on_is_the_next_group() -> None:
    groups: list[list[int]] = []
    begun, let = threading.Event(), threading.Event()

    def do(group: list[int]) -> None:
        groups.append(group)
        begun.set()
        assert let.wait(60)

    with Together(1, do, fast=lambda: False) as together:
        together.put(0)
        assert begun.wait(60)
        for number in range(1, 6):
            together.put(number)
        let.set()
    assert groups == [[0], [1, 2, 3, 4, 5]]


def test_a_group_has_a_largest_size() -> None:
    groups: list[list[int]] = []
    together = Together(1, groups.append, fast=lambda: True)
    for number in range(MOST_AT_ONCE + 10):
        together.put(number)
    with together:
        pass
    assert [len(group) for group in groups] == [MOST_AT_ONCE, 10]


def test_each_is_handed_on_once_whichever_thread_takes_it() -> None:
    lock, seen = threading.Lock(), []

    def do(group: list[int]) -> None:
        with lock:
            seen.extend(group)

    with Together(4, do, fast=lambda: False) as together:
        for number in range(2000):
            together.put(number)
    assert sorted(seen) == list(range(2000))


def test_without_anything_it_ends() -> None:
    called: list[list[int]] = []
    with Together(3, called.append, fast=lambda: True):
        pass
    assert called == []
