"""Sessions' metrics, by hand: what was late, how fast it went, what the scenario asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from weir.metrics import compute
from weir.rundir import RunData
from weir_testing.metrics import experiment, player


def session(after_s: float | None, segments: int, start_s: float = 0.0) -> dict[str, Any]:
    """Of 1 Mbit/s in segments of 2 s."""
    film = {"bitrates_bps": [1e6], "segment_s": 2.0, "segments": segments, "sizes_bytes": None}
    found: dict[str, Any] = {"start_s": start_s, "stop_s": None, "film": film}
    if after_s is not None:
        length_s = 2.0 * segments
        found["deadlines"] = {"after_s": after_s, "length_s": length_s, "rate_bps": 1e6}
    return found


def ran(clients: list[dict[str, Any]], logs: list[dict[str, Any]], **data: Any) -> Any:
    asked = experiment([], 100.0) | {"clients": clients}
    return compute(RunData(asked, logs, **data))


def log(segments: int, size_bytes: float = 250_000.0) -> dict[str, Any]:
    """Segment n comes at 2n + 1 s."""
    return player([0] * segments) | {"size_bytes": [size_bytes] * segments}


def columns(made: dict[str, Any]) -> dict[str, Any]:
    return {name: np.asarray(values) for name, values in made.items()}


def test_a_byte_that_was_overdue_makes_its_segment_late() -> None:
    rows = columns(log(5))
    assert ran([session(1.0, 5)], [rows])["run"]["late_streams"] == 0
    rows["stall_s"] = rows["stall_s"].copy()
    rows["stall_s"][2] = 0.3
    got = ran([session(1.0, 5), session(None, 5)], [rows, columns(log(5))])
    assert got["run"]["late_streams"] == 1
    assert got["clients"][0]["late_segments"] == 1
    assert got["clients"][1]["late_segments"] is None


def test_what_was_not_due_when_the_experiment_ended_is_not_late() -> None:
    """Of ten segments two came; those after were due from 11 s on."""
    ends = [{"t_s": 10.5, "event": "experiment-ends"}]
    rows = columns(log(2))
    assert ran([session(5.0, 10)], [rows], events=ends)["clients"][0]["late_segments"] == 0
    assert ran([session(5.0, 10)], [rows])["clients"][0]["late_segments"] == 8


def test_rates_of_transfers() -> None:
    """20 segments of 2 Mbit, the last at 39 s; ten of them come after 20 s."""
    got = ran([session(None, 20), session(None, 20)], [columns(log(20)), columns(log(20, 125e3))])
    first, second = got["clients"]
    assert first["transfer_bps"] == pytest.approx(40e6 / 39)
    assert first["settled_throughput_bps"] == pytest.approx(20e6 / 19)
    assert second["transfer_bps"] == pytest.approx(20e6 / 39)
    assert got["run"]["throughput_ratio"] == pytest.approx(2.0)
    assert got["run"]["downloads_bps"] == pytest.approx(60e6 / 39, rel=1e-6)
    assert got["run"]["settled_total_bps"] == pytest.approx(30e6 / 19)


def test_what_all_carry_is_of_the_time_in_which_all_send() -> None:
    """Of 19 s the second, asked for 10 s later, is settled in 9; apart in time, they have none."""
    whole = columns(log(20))
    for start_s, total_bps in ((10.0, 20e6 / 9), (25.0, None)):
        later = session(None, 20) | {"start_s": start_s}
        got = ran([session(None, 20), later], [whole, whole])["run"]["settled_total_bps"]
        assert got == (total_bps if total_bps is None else pytest.approx(total_bps))


def test_the_scenarios_own_bound() -> None:
    """1 Mbit/s of 20 s, sent from 5 s before on: 20 Mbit in 25 s. Live: no less than its rate."""
    stored, live = session(5.0, 10), session(5.0, 10) | {"released_s": 0.0}
    for client, rate_bps in ((stored, 0.8e6), (live, 0.8e6)):
        got = ran([client], [columns(log(10))])
        assert got["run"]["edf_rate_bps"] == pytest.approx(rate_bps)
    assert ran([session(None, 10)], [columns(log(10))])["run"]["edf_rate_bps"] is None


def test_a_session_plays_nothing() -> None:
    got = ran([session(1.0, 5)], [columns(log(5))])["clients"][0]
    assert got["mean_bitrate_bps"] is None and got["stall_count"] is None
