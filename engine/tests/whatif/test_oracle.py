"""Beam search in a world of made-up runs, whose best sequence is known by trying all."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from weir_engine.whatif.oracle import Levels, Sequence, first_block, search

LEVELS, SEGMENTS = 3, 8


def played(forced: Levels) -> tuple[int, ...]:
    """Where nothing is forced, a player that goes up to 1 and stays."""
    return tuple(forced.get(segment, min(1, segment)) for segment in range(SEGMENTS))


def score(levels: tuple[int, ...]) -> float:
    """Levels are worth their number; a switch costs 0.6; more than 5 in four segments stalls."""
    switches = sum(a != b for a, b in pairwise(levels))
    stalls = sum(sum(levels[k : k + 4]) > 5 for k in range(len(levels) - 3))
    return sum(levels) - 0.6 * switches - 3 * stalls


def course(runs: int, width: int = 2, lost: frozenset[int] = frozenset()) -> tuple[Sequence, int]:
    """The best that is found, and how many runs it took. lost: runs by number that fail."""
    own = Sequence((), played({}), score(played({})))
    looking = search(own, levels=LEVELS, horizon=SEGMENTS, width=width, runs=runs)
    asked: list[tuple[tuple[int, int], ...]] = []
    try:
        wanted = next(looking)
        while True:
            came: list[Sequence | None] = []
            for forced in wanted:
                name, levels = tuple(sorted(forced.items())), played(forced)
                fails = len(asked) in lost
                asked.append(name)
                came.append(None if fails else Sequence(name, levels, score(levels)))
            wanted = looking.send(came)
    except StopIteration as end:
        assert len(set(asked)) == len(asked)
        found: Sequence = end.value
        return found, len(asked)


def test_it_finds_the_best_where_runs_are_enough() -> None:
    best = max(map(score, product(range(LEVELS), repeat=SEGMENTS)))
    found, runs = course(runs=500, width=6)
    assert found.score == best
    assert found.played == played(dict(found.forced))
    assert runs < LEVELS**SEGMENTS / 10


@pytest.mark.parametrize("runs", [1, 2, 5, 17, 60])
def test_it_keeps_to_its_runs_and_is_never_worse_than_the_run_itself(runs: int) -> None:
    found, took = course(runs)
    assert took <= runs
    assert found.score >= score(played({}))


def test_more_runs_find_more_and_each_time_the_same() -> None:
    scores = [course(runs)[0].score for runs in (3, 30, 300)]
    assert scores == sorted(scores) and scores[0] < scores[-1]
    assert course(60) == course(60)


def test_a_run_that_fails_is_left_out() -> None:
    found, took = course(60, lost=frozenset(range(60)))
    assert found.played == played({})
    assert took > 0
    assert course(60, lost=frozenset({2}))[0].score >= score(played({}))


def test_one_pass_through_the_film_fits_into_the_runs() -> None:
    assert first_block(60, levels=5, width=2, runs=1000) == 1
    for runs in (60, 120, 240):
        block = first_block(60, levels=5, width=2, runs=runs)
        assert 5 + -(-60 // block) * 2 * 4 <= runs
