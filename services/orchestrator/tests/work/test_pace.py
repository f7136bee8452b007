"""How many runs a worker claims and keeps at once."""

from __future__ import annotations

from weir_orchestrator.work.pace import MOST_AT_ONCE, Pace


def begun_every(seconds: float, runs: int) -> Pace:
    """That of a worker which has begun so many runs, the last one just now."""
    now = [0.0]
    pace = Pace(clock_s=lambda: now[0])
    for number in range(runs):
        now[0] = number * seconds
        pace.begin()
    return pace


def test_one_run_a_second_is_claimed_by_itself() -> None:
    assert Pace().at_once() == 1
    assert begun_every(1.0, 10).at_once() == 1
    assert not begun_every(1.0, 10).is_fast()


def test_runs_of_a_hundredth_of_a_second_are_claimed_by_the_quarter_of_a_second() -> None:
    assert begun_every(0.01, 100).at_once() == 26
    assert begun_every(0.01, 5).at_once() == 5
    assert begun_every(0.01, 100).is_fast()


def test_however_fast_they_are_some_are_left_to_others() -> None:
    assert begun_every(0.0001, 1000).at_once() == MOST_AT_ONCE


def test_more_are_claimed_where_claims_take_long_but_for_a_second_at_most() -> None:
    pace = begun_every(0.125, 100)
    assert pace.at_once() == 3
    pace.claimed(took_s=0.125)
    assert pace.at_once() == 9
    assert pace.is_fast()
    pace.claimed(took_s=10.0)
    assert pace.at_once() == 9
    pace.claimed(took_s=0.001)
    assert pace.at_once() == 3
