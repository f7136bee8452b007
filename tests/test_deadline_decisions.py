"""What a deadline-aware sender decides is recorded: it follows from the margin, once a second."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from weir.metrics.over_time import TIME_VALUES
from weir.rundir import Columns, RunData
from weir_testing.cells import Runner, broken
from weir_testing.spec import resolved

pytestmark = pytest.mark.kernel

LOWER_S, UPPER_S = 4.0, 7.0


def asked(moves: str, **record: str) -> Any:
    """A stream that wants more than an equal share, beside two files."""
    stream = {
        "kind": "stream", "rate": "2.4Mbit/s", "length": "40s", "ahead": "8s", "moves": moves,
        "lower": f"{LOWER_S:g}s", "upper": f"{UPPER_S:g}s",
    }  # fmt: skip
    return resolved(
        duration="50s",
        server={"congestion_control": "aimd"},
        gateway={
            "downlink": {
                "rate": "4Mbit/s", "queue": {"discipline": "drop-tail", "limit": "30packets"}
            },
            "path": {"rtt": {"mean": "60ms"}},
        },
        clients=[],
        sessions={"groups": [stream, {"kind": "download", "size": "30MB", "count": 2}]},
        record={"tcp": "per-second", "queue": "off", **record},
    )  # fmt: skip


def decided(run_once: Runner, moves: str, **record: str) -> RunData:
    result = run_once(asked(moves, **record))
    assert not broken(result)
    return result.data


def rows_of(data: RunData) -> Columns:
    assert data.deadlines is not None and len(data.deadlines["t_ns"]) > 10
    return data.deadlines


def test_a_row_a_second_of_the_stream_alone(run_once: Runner) -> None:
    data = decided(run_once, "alpha")
    rows = rows_of(data)
    (stream,) = [flow["flow"] for flow in data.flows if flow["client"] == 1]
    assert set(rows["flow"]) == {stream}
    apart_s = np.diff(rows["t_ns"]) / 1e9
    # A decision waits for the first ACK after its second is over.
    assert apart_s.min() >= 1 and apart_s.max() < 1.5


def test_the_parameter_follows_from_the_margin(run_once: Runner) -> None:
    """Below the lower bound as aggressive as may be, above the upper as meek; the other rests."""
    rows = rows_of(decided(run_once, "alpha"))
    margin_s, alpha = rows["margin_us"] / 1e6, rows["alpha_milli"] / 1000
    held = margin_s >= 0
    below, above = held & (margin_s < LOWER_S), margin_s > UPPER_S
    assert below.any() and above.any()
    assert np.all(alpha[below] == 0.1) and np.all(alpha[above] == 4.0)
    assert np.all(rows["beta_milli"] == 500)


def test_throughput_is_what_ate_the_margin(run_once: Runner) -> None:
    """Between two decisions the margin grows by what was sent, over the rate, less the time."""
    rows = rows_of(decided(run_once, "alpha"))
    passed_s = np.diff(rows["t_ns"]) / 1e9
    grew_s = np.diff(rows["margin_us"]) / 1e6
    sent_s = rows["throughput_bps"][1:] * passed_s / 2.4e6
    # Acknowledged is what was sent a round trip before: windows of some 30 segments differ.
    assert np.abs((grew_s - (sent_s - passed_s)).sum()) < 0.3


def test_beta_moves_where_it_is_asked_to(run_once: Runner) -> None:
    data = decided(run_once, "beta")
    rows = rows_of(data)
    assert np.all(rows["alpha_milli"] == 1000)
    assert set(rows["beta_milli"]) >= {950}
    ((times, values),) = TIME_VALUES["beta"].of(data, 1)
    assert np.array_equal(times, rows["t_ns"] / 1e9) and values.max() == 0.95
    assert TIME_VALUES["alpha"].of(data, 1) == [] == TIME_VALUES["beta"].of(data, 2)


def test_where_nothing_decides_there_is_no_table(run_once: Runner) -> None:
    assert decided(run_once, "none").deadlines is None
    assert decided(run_once, "alpha", tcp="off", queue="per-second").deadlines is None
