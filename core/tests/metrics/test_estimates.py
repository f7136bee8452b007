"""How widely throughput estimates are spread, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from weir.metrics import compute
from weir.metrics.estimates import spread
from weir.rundir import RunData
from weir_testing.metrics import experiment, player


def test_quantiles_are_interpolated() -> None:
    got = spread(np.array([1.0, 2.0, 3.0, 4.0, 5.0]))
    assert got == pytest.approx({"p05": 1.2, "median": 3.0, "p95": 4.8, "iqr": 2.0})


def test_raw_and_smoothed_of_a_client_apart() -> None:
    log = player([4] * 5)
    log |= {
        "raw_bps": np.array([1e6, 2e6, 3e6, 4e6, 5e6]),
        "estimate_bps": np.array([np.nan, 0.0, 2e6, 2e6, 2e6]),  # two that say nothing yet
    }
    (client,) = compute(RunData(experiment([(0, None)], 10.0), [log]))["clients"]
    assert client["raw_median_bps"] == 3e6
    assert client["raw_iqr_bps"] == 2e6
    assert client["smoothed_median_bps"] == 2e6
    assert client["smoothed_iqr_bps"] == 0
