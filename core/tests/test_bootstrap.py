from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from weir.bootstrap import bootstrap_ci

FINITE = st.floats(-1e6, 1e6)


def test_bca_as_scipy_has_it() -> None:
    values = np.random.default_rng(1).lognormal(size=40)
    ours = bootstrap_ci(values.tolist(), seed=3)
    theirs = scipy_stats.bootstrap(
        (values,), np.mean, n_resamples=10_000, method="BCa", random_state=3
    ).confidence_interval
    assert ours == pytest.approx((theirs.low, theirs.high), rel=0.02)
    assert ours == bootstrap_ci(values.tolist(), seed=3)
    assert ours != bootstrap_ci(values.tolist(), seed=4)
    # Skewed to the right, so is the interval.
    assert ours[1] - values.mean() > values.mean() - ours[0]


def test_bootstrap_of_little() -> None:
    assert bootstrap_ci([5.0, 5.0, 5.0], seed=1) == (5.0, 5.0)
    assert all(math.isnan(end) for end in bootstrap_ci([5.0], seed=1))


@given(st.lists(FINITE, min_size=2, max_size=20), st.integers(0, 100))
def test_bootstrap_stays_within_the_values(values: list[float], seed: int) -> None:
    low, high = bootstrap_ci(values, seed)
    slack = 1e-9 * max(map(abs, values))
    assert min(values) - slack <= low <= high <= max(values) + slack
