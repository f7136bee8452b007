"""Bisection against trying every level."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from weir_engine.search.bisection import Ask, Found, NotFound, Step, next_step


def carried_out(
    passing: list[bool], confirm: int, start: int | None = None, neighbour: int | None = None
) -> tuple[Step, set[int]]:
    known: dict[int, bool] = {}
    while isinstance(step := next_step(known, len(passing), confirm, start, neighbour), Ask):
        assert step.levels and not known.keys() & set(step.levels)
        known |= {level: passing[level] for level in step.levels}
    return step, set(known)


@given(st.integers(2, 300), st.data())
def test_of_monotone_levels_it_finds_the_first_that_passes(
    levels: int, data: st.DataObject
) -> None:
    first = data.draw(st.integers(1, levels - 1))
    found, tried = carried_out([level >= first for level in range(levels)], 2)
    assert found == Found(first, ())
    assert len(tried) <= 2 + (levels - 1).bit_length() + 2
    assert {first - 1, first, min(first + 2, levels - 1)} <= tried


@given(st.lists(st.booleans(), min_size=2, max_size=40), st.integers(0, 3))
def test_of_any_levels_what_is_found_passes_and_the_one_below_fails(
    passing: list[bool], confirm: int
) -> None:
    found, tried = carried_out(passing, confirm)
    if passing[0] or not passing[-1]:
        assert found == NotFound(passing[0], passing[-1])
        return
    assert isinstance(found, Found)
    assert passing[found.level] and not passing[found.level - 1]
    beyond = range(found.level + 1, min(found.level + 1 + confirm, len(passing)))
    assert found.exceptions == tuple(level for level in beyond if not passing[level])
    assert set(beyond) <= tried


@given(st.lists(st.booleans(), min_size=2, max_size=40), st.sets(st.integers(0, 39)))
def test_what_is_known_beyond_it_changes_nothing(passing: list[bool], more: set[int]) -> None:
    found, tried = carried_out(passing, 2)
    known = {level: passing[level] for level in tried | {k for k in more if k < len(passing)}}
    assert next_step(known, len(passing), 2) == found


@given(st.integers(2, 300), st.data())
def test_from_a_start_it_finds_the_same_and_never_tries_far_above(
    levels: int, data: st.DataObject
) -> None:
    first, start = data.draw(st.integers(1, levels - 1)), data.draw(st.integers(1, levels - 1))
    found, tried = carried_out([level >= first for level in range(levels)], 2, start)
    assert found == Found(first, ())
    assert max(tried) <= max(start, 2 * first - start, first + 2)


def test_near_its_start_it_takes_few() -> None:
    _, tried = carried_out([level >= 203 for level in range(500)], 2, 200)
    assert tried == {0, 200, 201, 202, 203, 204, 205}  # from; 200, +1, +2; between; two to confirm


@given(st.integers(1, 40), st.integers(2, 40))
def test_from_a_start_ends_that_agree_are_told(start: int, levels: int) -> None:
    assert carried_out([True] * levels, 2, start)[0] == NotFound(True, True)
    assert carried_out([False] * levels, 2, start)[0] == NotFound(False, False)


STARTS = st.none() | st.integers(1, 39)


@given(st.integers(2, 300), st.data())
def test_from_a_neighbour_it_finds_the_same_within_the_runs_that_are_counted_on(
    levels: int, data: st.DataObject
) -> None:
    first, neighbour = (data.draw(st.integers(1, levels - 1)) for _ in range(2))
    start = data.draw(st.none() | st.integers(1, levels - 1))
    found, tried = carried_out([level >= first for level in range(levels)], 2, start, neighbour)
    assert found == Found(first, ())
    assert len(tried) <= 2 + 2 * (levels - 2).bit_length() + 2


@given(st.lists(st.booleans(), min_size=2, max_size=40), STARTS, st.integers(1, 39))
def test_from_a_neighbour_what_is_found_passes_and_the_one_below_fails(
    passing: list[bool], start: int | None, neighbour: int
) -> None:
    last = len(passing) - 1
    here = None if start is None else min(start, last)
    found, _ = carried_out(passing, 2, here, min(neighbour, last))
    if isinstance(found, NotFound):
        assert (found.lower, found.upper) == (passing[0], passing[-1])
        assert passing[0] or not passing[-1]
        return
    assert isinstance(found, Found)
    assert passing[found.level] and not passing[found.level - 1]


def test_between_its_start_and_a_neighbour_it_takes_few() -> None:
    """EDF's bound is level 200, New Reno's 300: none above 300 is tried, and few below."""
    for first in range(200, 301):
        passing = [level >= first for level in range(500)]
        _, tried = carried_out(passing, 0, 200, 300)
        assert max(tried) == 300
        assert min(tried - {0}) >= (199 if first == 200 else 200)
        assert len(tried) <= 10
    _, beside = carried_out([level >= 299 for level in range(500)], 0, 200, 300)
    assert len(beside) < len(carried_out([level >= 299 for level in range(500)], 0, 200)[1])
