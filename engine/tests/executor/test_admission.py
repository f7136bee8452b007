"""Which runs may go on side by side."""

from __future__ import annotations

from typing import Any

from weir_engine import cost
from weir_engine.executor.admission import may_start
from weir_engine.task import Task
from weir_testing.spec import resolved


def _task(clients: int, **changes: Any) -> Task:
    several = [{"player": "bola", "count": clients}]
    return Task("0" * 32, "beside", {}, 0, 0, resolved(clients=several, **changes))


def test_a_run_waits_where_there_is_no_memory_for_it_beside_others() -> None:
    small, large = _task(1), _task(200)
    both = cost.memory_bytes(small.experiment) + cost.memory_bytes(large.experiment)
    assert may_start(large, [small], round(both / 0.9) + 1)
    assert not may_start(large, [small], round(both))


def test_a_run_that_needs_more_than_there_is_may_alone() -> None:
    assert may_start(_task(200), [], 1)


def test_more_clients_players_and_records_take_more() -> None:
    taken = [
        cost.memory_bytes(one.experiment)
        for one in (
            _task(1, record={"tcp": "off", "queue": "off"}),
            _task(1),
            _task(2),
            _task(2, duration="600s"),
        )
    ]
    assert taken == sorted(set(taken))
