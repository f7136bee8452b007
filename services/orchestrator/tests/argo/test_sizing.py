"""How work is cut into pods."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from weir_orchestrator.argo.sizing import Batches, cut, pods_that_fit, quantity

GIB = 2.0**30


def sized(runs: int, room: int, run_s: float = 1.0, jobs: int = 2) -> Batches | None:
    return cut(runs, room=room, at_once=room, jobs=jobs, run_s=run_s, batch_s=600, at_most=200)


def test_a_small_campaign_is_spread_over_all_there_is() -> None:
    assert sized(200, room=1) == Batches(1, 200, 1)
    assert sized(200, room=8) == Batches(8, 25, 8)


def test_no_pod_has_fewer_runs_than_it_does_at_once() -> None:
    assert sized(6, room=100) == Batches(3, 2, 3)
    assert sized(1, room=100) == Batches(1, 2, 1)


def test_a_pod_works_no_longer_than_a_batch_should() -> None:
    # 600 s at 2 jobs and 1.5 s for a run.
    assert sized(10_000, room=2, run_s=1.5) == Batches(13, 800, 2)


def test_a_large_campaign_becomes_many_workflows() -> None:
    size = sized(1_000_000, room=64)
    assert size == Batches(200, 1200, 64)
    assert size.pods + 3 < 1000, "nodes of one graph"


def test_what_is_left_is_spread_over_what_is_free_and_may_grow() -> None:
    left = {"jobs": 2, "run_s": 1.0, "batch_s": 600.0, "at_most": 200}
    assert cut(5, room=1, at_once=4, **left) == Batches(1, 5, 1)  # type: ignore[arg-type]
    assert cut(1_000_000, room=1, at_once=4, **left) == Batches(200, 1200, 4)  # type: ignore[arg-type]


def test_nothing_is_begun_without_runs_or_room() -> None:
    assert sized(0, room=4) is None
    assert sized(-5, room=4) is None
    assert sized(7, room=0) is None


@given(
    runs=st.integers(1, 10**7),
    room=st.integers(1, 5000),
    jobs=st.integers(1, 64),
    run_s=st.floats(1e-4, 1e5),
)
def test_pods_are_no_more_than_runs_and_hold_them(
    runs: int, room: int, jobs: int, run_s: float
) -> None:
    size = cut(runs, room=room, at_once=room, jobs=jobs, run_s=run_s, batch_s=600, at_most=200)
    assert size is not None
    assert 1 <= size.at_once <= min(size.pods, room)
    assert size.pods <= min(200, runs)
    assert size.runs >= jobs
    if size.pods < 200:
        assert (size.pods - 1) * size.runs < runs <= size.pods * size.runs
        assert size.pods == math.ceil(runs / size.runs)


def test_pods_fit_by_what_is_scarcer() -> None:
    two = [(3.92, 16 * GIB), (8.0, 4 * GIB)]
    assert pods_that_fit(two, cores=1.4, memory_bytes=1.5 * GIB) == 2 + 2
    assert pods_that_fit([(2.0, 8 * GIB)], cores=1.0, memory_bytes=GIB) == 2
    assert pods_that_fit([], cores=1.0, memory_bytes=GIB) == 0


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2", 2),
        ("700m", 0.7),
        ("3920m", 3.92),
        ("1536Mi", 1.5 * GIB),
        ("16431508Ki", 16431508 * 1024),
    ],
)
def test_quantities(text: str, value: float) -> None:
    assert quantity(text) == pytest.approx(value)


@pytest.mark.parametrize("text", ["", "two", "2cores", "1Mib"])
def test_what_is_no_quantity_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"could not convert|allowed"):
        quantity(text)
