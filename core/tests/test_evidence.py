"""Evidence that may be looked at often: exact sums, and what chance does."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from weir.evidence import discoveries, majority, median_interval, replicates_to_reach


def test_nothing_seen_is_no_evidence() -> None:
    assert majority(0, 0) == pytest.approx(1.0)


def test_by_hand() -> None:
    # integral over p in (1/2, 1) of 2 * (2p)^2 = 2 * 4 * (1 - 1/8) / 3
    assert majority(2, 2) == pytest.approx(7 / 3)
    # of 2 * (2p) * (2 - 2p) = 8 * (p^2/2 - p^3/3) between 1/2 and 1
    assert majority(1, 2) == pytest.approx(8 * (1 / 6 - 1 / 12))
    assert majority(20, 20) == pytest.approx(2**21 / 21, rel=1e-5)


@pytest.mark.parametrize("n", [1, 5, 24, 200])
def test_its_mean_is_one_for_a_fair_coin(n: int) -> None:
    mean = sum(comb(n, hits) / 2**n * majority(hits, n) for hits in range(n + 1))
    assert mean == pytest.approx(1.0)


def test_looking_after_every_replicate_is_allowed() -> None:
    random = np.random.default_rng(1)
    alarms = 0
    for _ in range(1000):
        hits = np.cumsum(random.integers(0, 2, 60))
        alarms += any(majority(int(found), n) >= 20 for n, found in enumerate(hits, 1))
    assert alarms / 1000 <= 0.05


def test_more_hits_than_trials() -> None:
    with pytest.raises(ValueError, match="hits must be from 0 to 3, not 4"):
        majority(4, 3)


@given(st.integers(1, 30).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_how_many_would_be_enough(seen: tuple[int, int]) -> None:
    hits, n = seen
    needed = replicates_to_reach(hits, n, 1000.0)
    if 2 * hits <= n:
        assert needed is None
    elif needed is not None:
        assert needed >= n
        assert majority(round(needed * hits / n), needed) >= 1000.0


def test_of_nothing_seen_the_best_is_hoped_for() -> None:
    assert replicates_to_reach(0, 0, 20.0) == 7


def test_discoveries_by_hand() -> None:
    # 4 hypotheses at 0.1: k * e >= 40. 45 * 1; 21 * 2 = 42; 5 * 3 = 15.
    assert discoveries(np.array([5.0, 45.0, 0.2, 21.0]), 0.1).tolist() == [
        False,
        True,
        False,
        True,
    ]
    assert not discoveries(np.array([30.0, 19.0]), 0.05).any()
    assert discoveries(np.zeros(0), 0.05).tolist() == []


def test_an_interval_of_the_median_ends_at_two_of_the_values() -> None:
    values = np.arange(20.0)
    hits = next(hits for hits in range(21) if majority(hits, 20) >= 40)
    assert median_interval(values[::-1], 0.05) == (20 - hits, hits - 1)
    # All of them are needed: of fewer there is no interval.
    assert median_interval(np.arange(8.0), 0.05) == (0.0, 7.0)
    assert median_interval(np.arange(7.0), 0.05) is None
    assert median_interval(np.zeros(0), 0.05) is None


def test_the_interval_has_the_median_at_all_looks_at_once() -> None:
    random = np.random.default_rng(2)
    missed = 0
    for _ in range(300):
        values = random.exponential(1.0, 40)  # its median is log 2
        found = (median_interval(values[:n], 0.05) for n in range(8, 41))
        missed += any(one and not one[0] <= np.log(2) <= one[1] for one in found)
    assert missed / 300 <= 0.05
