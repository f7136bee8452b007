"""Per-client metrics on examples small enough to compute by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from weir.metrics.bitrate import oscillation_bps
from weir.metrics.compute import compute
from weir.metrics.congestion import ssthresh_decreases
from weir.metrics.infidelity import convergence_s, infidelity_percent
from weir.metrics.instability import instability_early_percent, instability_percent
from weir.metrics.off_periods import long_off_periods
from weir.metrics.qoe import mok_mos, pensieve, sabre, yin
from weir.rundir import PLAYER, RETRANSMITS, TCP, RunData, columns_of_rows
from weir_testing.metrics import flow

LADDER = [1e6, 2e6, 4e6]


def experiment(**changes: Any) -> Any:
    """10 s of one client on 5 Mbit/s, 100 ms away."""
    rtt = {"mean_s": 0.1, "on": "uplink"}
    base = {
        "duration_s": 10.0,
        "content": {"bitrates_bps": LADDER, "segment_s": 2.0, "segments": None},
        "gateway": {
            "downlink": {"rate_steps": [[0.0, 5e6]], "rate_loop_s": None},
            "uplink": {"rate_steps": [], "rate_loop_s": None},
            "path": {"rtt": rtt},
        },
        "clients": [{"start_s": 0.0, "stop_s": None}],
    }
    return {**base, **changes}


def row(segment: int, level: int, request: float, last: float, **changes: Any) -> dict[str, Any]:
    base = {
        "segment": segment,
        "level": level,
        "bitrate_bps": LADDER[level],
        "size_bytes": int(LADDER[level] / 4),
        "request_s": request,
        "first_byte_s": request + 0.1,
        "last_byte_s": last,
        "buffer_before_s": 0.0,
        "buffer_after_s": 10.0,
        "stall_s": 0.0,
        "raw_bps": 0.0,
        "estimate_bps": 0.0,
        "connection": 40000,
        "status": 206,
    }
    return {**base, **changes}


FLOWS = [flow(0, 1, 40000)]
ROWS = [
    row(0, 0, 0.0, 0.5),
    row(1, 1, 0.5, 2.0, stall_s=0.25),
    row(2, 2, 2.5, 5.0, stall_s=0.75),
    row(3, 2, 6.0, 8.0),
]


def client(rows: list[dict[str, Any]] = ROWS, **changes: Any) -> dict[str, Any]:
    data = RunData(experiment(**changes), [columns_of_rows(PLAYER, rows)], flows=FLOWS)
    entry = compute(data)["clients"][0]
    assert isinstance(entry, dict)
    return entry


def test_early_instability_weighs_what_is_left() -> None:
    # K = 3. Changes |1-1| * 2 + |3-1| * 1 + |2-3| * 0 = 2; levels 1*3 + 1*2 + 3*1 = 8.
    assert instability_early_percent(np.array([1.0, 1.0, 3.0, 2.0])) == pytest.approx(25.0)
    assert instability_early_percent(np.array([5.0])) is None


def test_instability_weighs_recent_changes() -> None:
    # K = 3, Q = 1, 1, 3, 2: (|2-3|*3 + |3-1|*2 + |1-1|*1) / (3*2 + 1*1 + 1*0) = 7/7
    assert instability_percent(np.array([1.0, 1.0, 3.0, 2.0])) == pytest.approx(100.0)
    assert instability_percent(np.array([5.0, 5.0, 5.0])) == 0
    assert instability_percent(np.array([5.0])) is None


def test_infidelity_counts_seconds_off_the_optimum() -> None:
    # seconds 0..3 (the fifth sample is the end of second 3): wrong in 0 and 2 -> 2/4
    got = infidelity_percent(np.array([0, 2, 1, 2, 1]), np.array([2, 2, 2, 2, 2]))
    assert got == 50


def test_convergence_needs_t_seconds_without_a_slip() -> None:
    optimum = np.full(11, 2)
    levels = np.array([0, 2, 2, 1, 2, 2, 2, 2, 0, 2, 2])
    assert convergence_s(levels, optimum, stable_s=2) == 4  # [4, 6]
    assert convergence_s(levels, optimum, stable_s=3) == 4  # [4, 7]
    assert convergence_s(levels, optimum, stable_s=4) == 10  # never: K
    assert convergence_s(np.full(11, 2), optimum, stable_s=10) == 0
    assert convergence_s(np.full(11, 2), optimum, stable_s=11) == 10


def test_quality_is_that_of_the_last_request() -> None:
    # requests at 0, 0.5, 2.5, 6: samples 0..10 are levels 0 1 1 2 2 2 2 2 2 2 2; optimum: 4 <= 5
    got = client()
    assert got["infidelity_percent"] == 30.0  # seconds 0, 1, 2
    assert got["convergence_s"] == 10  # 60 s do not fit
    # in Mbit/s: sum |dQ| j = 1*1 + 2*3 = 7; sum_{j<10} Q j = 2*1 + 2*2 + 4*(3+...+9) = 174
    assert got["instability_percent"] == pytest.approx(100 * 7 / 174, rel=1e-8)


def test_bitrate_family() -> None:
    got = client()
    # rates 1, 2, 4, 4 Mbit/s
    assert got["mean_bitrate_bps"] == 11e6 / 4
    assert got["arb_percent"] == 55.0  # 2.75 of 5 Mbit/s
    assert got["oscillation_bps"] == 3e6 / 4
    assert got["throughput_bps"] == pytest.approx(11e6 * 2 / 10)  # 2 s segments in 10 s
    assert (got["switch_count"], got["ins"], got["segments"], got["play_s"]) == (2, 0.5, 4, 10)
    assert oscillation_bps(np.zeros(0)) is None


def test_switch_distribution_is_signed() -> None:
    rows = [row(i, level, i * 2.0, i * 2.0 + 1) for i, level in enumerate([0, 2, 1, 1, 0])]
    data = RunData(experiment(), [columns_of_rows(PLAYER, rows)])
    assert compute(data)["switch_steps"] == [{"+2": 1, "-1": 2}]


def test_rebuffering() -> None:
    got = client()
    assert got["startup_s"] == 0.5
    assert (got["stall_count"], got["stall_mean_s"]) == (2, 0.5)
    assert got["rebuffer_ratio_percent"] == 15.0  # (0.5 + 1.0) / 10
    assert got["rebuffer_ratio_no_startup_percent"] == pytest.approx(100 / 9.5, rel=1e-8)


def test_a_stall_that_the_end_cuts_short_counts() -> None:
    # last byte at 8 with 0.5 s in the buffer: dry from 8.5 to 10
    got = client([*ROWS[:3], {**ROWS[3], "buffer_after_s": 0.5}])
    assert (got["stall_count"], got["stall_mean_s"]) == (3, pytest.approx(2.5 / 3, rel=1e-8))
    film = {"bitrates_bps": LADDER, "segment_s": 2.0, "segments": 4}
    done = client([*ROWS[:3], {**ROWS[3], "buffer_after_s": 0.5}], content=film)
    assert (done["stall_count"], done["play_s"]) == (2, 8)  # film seen whole at 8.5


def buffered(*steps: tuple[float, float, float, int]) -> list[dict[str, Any]]:
    """Rows from (last byte, buffer after, stall, status), requested at once."""
    begun = [0.0, *(step[0] for step in steps)]
    return [
        row(i, 0, begun[i], last, buffer_after_s=after, stall_s=stall, status=status)
        for i, (last, after, stall, status) in enumerate(steps)
    ]


def test_startup_that_waits_for_several_segments() -> None:
    # 2 s and 4 s wait unplayed; with 6 s playback starts at 3 s and has played 1 s at 4 s
    got = client(buffered((1, 2, 0, 206), (2, 4, 0, 206), (3, 6, 0, 206), (4, 7, 0, 206)))
    assert (got["startup_s"], got["rebuffer_ratio_percent"]) == (3, 30 + 0)
    never = client(buffered((1, 2, 0, 206), (2, 4, 0, 206)))
    assert (never["startup_s"], never["rebuffer_ratio_percent"]) == (None, 100)


def test_a_stall_over_several_rows_is_one() -> None:
    # dry at 2.5; a broken download ends at 4, the next segment comes at 5: 1.5 + 1 s. Then
    # dry at 7, cut off by the end at 10: 3 s.
    got = client(buffered((0.5, 2, 0, 206), (4, 0, 1.5, 0), (5, 2, 1, 206), (10, 0, 3, 0)))
    assert (got["stall_count"], got["stall_mean_s"]) == (2, 2.75)
    assert (got["segments"], got["rebuffer_ratio_percent"]) == (2, 60.0)
    # a player that resumes with two segments only: 1 s + 1 s
    slow = client(buffered((0.5, 2, 0, 206), (3.5, 2, 1, 206), (4.5, 4, 1, 206), (5, 5.5, 0, 206)))
    assert (slow["stall_count"], slow["stall_mean_s"]) == (1, 2)


def test_a_client_that_gets_nothing_waits_all_the_time() -> None:
    got = client([])
    assert got["rebuffer_ratio_percent"] == 100
    assert (got["throughput_bps"], got["segments"]) == (0, 0)
    assert got["startup_s"] is got["mean_bitrate_bps"] is got["infidelity_percent"] is None


def test_failed_requests_are_no_segments() -> None:
    got = client([*ROWS, row(4, 0, 8.5, 8.6, status=404)])
    assert (got["segments"], got["mean_bitrate_bps"]) == (4, 11e6 / 4)


def test_qoe_scores() -> None:
    rates = np.array([1e6, 2e6, 4e6, 4e6])
    # 11000 - 3000 - 3000*1 - 3000*0.5
    assert yin(rates, 1.0, 0.5) == 3500
    # (11 - 4.3 - 3) / 4
    assert pensieve(rates, 1.0) == pytest.approx(0.925)
    # utilities 0, ln 2, ln 4, ln 4 = 5 ln 2; minus 5*1/2; over (8 + 1 + 0.5) / 2 segments
    assert sabre(rates, 1e6, 2.0, 1.0, 0.5) == pytest.approx((5 * math.log(2) - 2.5) / 4.75)
    # best: every level 1
    assert mok_mos(0.5, np.zeros(0), 100.0) == pytest.approx(4.23 - 0.0672 - 0.742 - 0.106)
    # startup 6 s: 3; 3 stalls in 100 s = 0.03: 2; mean 6 s: 2
    assert mok_mos(6.0, np.full(3, 6.0), 100.0) == pytest.approx(
        4.23 - 0.0672 * 3 - 0.742 * 2 - 0.106 * 2
    )


def acks(t_s: list[float], rto_ms: list[int], ssthresh: list[int]) -> dict[str, Any]:
    rows = [
        {"t_ns": round(t * 1e9), "flow": 0, "cwnd": 10, "ssthresh": threshold,
         "srtt_us": 100_000, "rto_us": rto * 1000, "rwnd": 65535, "in_flight": 5}
        for t, rto, threshold in zip(t_s, rto_ms, ssthresh, strict=True)
    ]  # fmt: skip
    return columns_of_rows(TCP, rows)


def test_cng_counts_each_fall_of_ssthresh() -> None:
    infinite = 0x7FFFFFFF
    assert ssthresh_decreases(np.array([infinite, 20, 20, 30, 10], dtype=np.uint32)) == 2
    tcp = acks([1.0, 2.0, 3.0], [100, 100, 100], [infinite, 20, 10])
    lost = columns_of_rows(RETRANSMITS, [{"t_ns": 1, "flow": f, "seq": 0} for f in (0, 0, 1)])
    data = RunData(experiment(), [columns_of_rows(PLAYER, ROWS)], tcp, lost, flows=FLOWS)
    got = compute(data)["clients"][0]
    assert got["cng"] == 20.0  # 100 * 2 / 10
    assert got["retransmits"] == 2


def test_off_periods_longer_than_the_rto() -> None:
    # OFF: 0 (0.5 -> 0.5), 0.5 (2.0 -> 2.5), 1.0 (5.0 -> 6.0)
    for rto_ms, expected in [
        ([300, 300, 300], 0.5),
        ([300, 501, 300], 0.25),
        ([300, 499, 1001], 0.25),
    ]:
        tcp = acks([0.4, 1.9, 4.9], rto_ms, [9, 9, 9])
        data = RunData(experiment(), [columns_of_rows(PLAYER, ROWS)], tcp, flows=FLOWS)
        assert compute(data)["clients"][0]["froff"] == expected  # of 4 segments


def test_idling_on_a_closed_connection_is_no_off_period() -> None:
    tcp = acks([0.4, 1.9, 4.9], [300, 300, 300], [9, 9, 9])
    rows = [*ROWS[:3], {**ROWS[3], "connection": 40001}]
    data = RunData(experiment(), [columns_of_rows(PLAYER, rows)], tcp, flows=FLOWS)
    assert compute(data)["clients"][0]["froff"] == 0.25


def test_rto_is_unknown_before_the_first_ack() -> None:
    late = acks([9.0], [300], [9])
    assert long_off_periods(np.array([0.0, 2.5]), np.array([1.0, 4.0]), late) == 0


@given(st.lists(st.sampled_from(LADDER), min_size=3, max_size=50))
def test_instability_of_any_session(rates: list[float]) -> None:
    got = instability_percent(np.array(rates))
    scaled = instability_percent(np.array(rates) * 3)
    assert got is not None and scaled == pytest.approx(got)
    assert (got == 0) == (len(set(rates)) == 1)


@given(st.lists(st.integers(0, 1), min_size=2, max_size=200), st.integers(1, 70))
def test_convergence_agrees_with_its_definition(wrong: list[int], stable: int) -> None:
    levels, seconds = np.array(wrong), len(wrong) - 1
    expected = next(
        (d for d in range(seconds - stable + 1) if not any(wrong[d : d + stable + 1])), seconds
    )
    assert convergence_s(levels, np.zeros(len(wrong), dtype=int), stable) == expected
