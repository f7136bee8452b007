from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from weir.stats import compare_paired, more_replicates_needed, summary

FINITE = st.floats(-1e6, 1e6)


def test_summary_by_hand() -> None:
    # 2, 4, 6: mean 4, sd 2, t(2, 97.5 %) = 4.30265, half width 4.30265 * 2 / sqrt(3).
    found = summary([2, 4, 6])
    assert (found.n, found.mean, found.sd) == (3, 4.0, 2.0)
    assert found.ci_high - found.mean == pytest.approx(4.96828, abs=1e-5)
    assert found.mean - found.ci_low == pytest.approx(4.96828, abs=1e-5)


def test_summary_of_little() -> None:
    assert math.isnan(summary([]).mean)
    one = summary([3.0, None, math.nan])
    assert (one.n, one.mean) == (1, 3.0)
    assert math.isnan(one.ci_low)
    undefined = {"sd": None, "ci_low": None, "ci_high": None}
    assert one.as_json() == {"n": 1, "distinct": 1, "mean": 3.0, **undefined}


def test_alike_runs_have_no_interval() -> None:
    found = summary([5.0, 5.0, 5.0], distinct=1)
    assert (found.n, found.distinct, found.mean) == (3, 1, 5.0)
    assert math.isnan(found.sd)
    assert math.isnan(found.ci_low)


@given(st.lists(FINITE, min_size=2, max_size=9, unique=True), st.integers(1, 4))
def test_runs_that_come_several_times_count_once(values: list[float], times: int) -> None:
    once, often = summary(values), summary(values * times, distinct=len(values))
    assert (often.n, often.distinct) == (times * once.n, once.n)
    for name in ("mean", "sd", "ci_low", "ci_high"):
        assert getattr(often, name) == pytest.approx(getattr(once, name), rel=1e-6, abs=1e-6)


@given(st.lists(FINITE, min_size=2, max_size=30))
def test_t_interval_as_scipy_has_it(values: list[float]) -> None:
    found = summary(values)
    if found.sd > 0:
        low, high = scipy_stats.t.interval(
            0.95, len(values) - 1, np.mean(values), scipy_stats.sem(values)
        )
        assert (found.ci_low, found.ci_high) == pytest.approx((low, high), rel=1e-6, abs=1e-6)


def test_stopping_rule_by_hand() -> None:
    # Two thirds: mean 10. All: (4 * 10 + 2 * x) / 6. With x = 12: 10.667, moved 0.667 = 6.25 %.
    assert more_replicates_needed([10, 10, 10, 10, 12, 12])
    # With x = 11.9: 10.633, moved 0.633 = 5.96 %.
    assert not more_replicates_needed([10, 10, 10, 10, 11.9, 11.9])
    # 10, 10, 10, 10, 12 against all: 10.4 to 10.667 is 2.5 %.
    assert not more_replicates_needed([10, 10, 10, 10, 12, 12], added=1)
    assert more_replicates_needed([10, 10, 10, 10, 11.9, 11.9], threshold=0.05)


def test_stopping_rule_at_the_edges() -> None:
    assert more_replicates_needed([1.0, 1.0])
    assert not more_replicates_needed([0.0, 0.0, 0.0])
    assert not more_replicates_needed([0.1] * 7)
    assert more_replicates_needed([1.0, 1.0, -2.0])
    with pytest.raises(ValueError, match="added"):
        more_replicates_needed([1, 2, 3], added=3)


@given(st.lists(st.floats(1, 100), min_size=3, max_size=30), st.floats(0.1, 1000))
def test_stopping_rule_knows_no_units(values: list[float], scale: float) -> None:
    n = len(values)
    before, mean = np.mean(values[: n - n // 3]), np.mean(values)
    if abs(abs(mean - before) / mean - 0.06) > 1e-6:
        assert more_replicates_needed(values) == more_replicates_needed(
            [value * scale for value in values]
        )


def test_paired_comparison_by_hand() -> None:
    # Seeds 1, 2, 3 are common: differences 1, 2, 3; t = 2 / (1 / sqrt 3) = 3.4641.
    found = compare_paired({1: 10, 2: 20, 3: 30, 4: 99, 5: None}, {3: 33, 2: 22, 1: 11, 5: 1})
    assert (found.n, found.mean_a, found.mean_b, found.difference) == (3, 20.0, 22.0, 2.0)
    assert found.relative == pytest.approx(0.1)
    assert found.p_value == pytest.approx(0.0741799, abs=1e-6)
    assert found.ci_low == pytest.approx(2 - 2.48414, abs=1e-5)


def test_paired_comparison_of_little() -> None:
    assert compare_paired({1: 1.0}, {2: 1.0}).n == 0
    assert compare_paired({1: 1.0, 2: 2.0}, {1: 1.0, 2: 2.0}).p_value == 1.0
    assert math.isnan(compare_paired({1: 1.0}, {1: 3.0}).p_value)


def test_rounding_is_no_difference() -> None:
    sums = dict.fromkeys(range(5), 0.1 + 0.2)
    found = compare_paired(dict.fromkeys(range(5), 0.3), sums)
    assert (found.difference, found.relative, found.p_value) == (0, 0, 1)


def test_a_pair_over_and_over_proves_nothing() -> None:
    found = compare_paired({1: 1.0, 2: 1.0, 3: 1.0}, {1: 3.0, 2: 3.0, 3: 3.0}, distinct=1)
    assert (found.n, found.distinct, found.difference) == (3, 1, 2.0)
    assert math.isnan(found.p_value)
    assert math.isnan(found.ci_low)
