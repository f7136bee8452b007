"""Run-wide metrics and roles of clients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from weir.metrics import compute
from weir.metrics.bitrate import share_bps
from weir.metrics.fairness import jain, unfairness_percent
from weir.metrics.link import Link
from weir.metrics.network import (
    loss_rate_percent,
    queueing_delay_s,
    rtt_inflation_percent,
    utilisation_percent,
)
from weir.metrics.session import sessions_of
from weir.rundir import (
    QUEUE,
    QUEUE_10MS,
    TCP,
    RunData,
    as_columns,
    columns_of_rows,
)
from weir_testing.metrics import experiment, packet, player


def test_rank_1_is_who_streams_higher_and_gets_the_higher_optimum() -> None:
    data = RunData(experiment([(0, None), (0, None)]), [player([3] * 90), player([4] * 90)])
    got = compute(data)["clients"]
    assert [entry["rank"] for entry in got] == [2, 1]
    assert [entry["infidelity_percent"] for entry in got] == [0, 0]
    assert [entry["convergence_s"] for entry in got] == [0, 0]


def test_ranks_tie_to_the_lower_number() -> None:
    data = RunData(experiment([(0, None), (0, None)]), [player([4] * 90), player([4] * 90)])
    got = compute(data)["clients"]
    assert [entry["rank"] for entry in got] == [1, 2]
    assert [entry["infidelity_percent"] for entry in got] == [0, 100]


def test_optimum_follows_clients_that_come_and_go() -> None:
    # client 2 plays from 30 s to 90 s at level 4; client 1 alone should be at 4, beside it at 3
    levels = [4] * 15 + [3] * 30 + [4] * 45
    spans: list[tuple[float, float | None]] = [(0.0, None), (30.0, 90.0)]
    data = RunData(experiment(spans), [player(levels), player([4] * 30, start=30.0)])
    first, second = compute(data)["clients"]
    assert (first["rank"], first["infidelity_percent"], first["play_s"]) == (2, 0, 180)
    assert (second["rank"], second["infidelity_percent"], second["play_s"]) == (1, 0, 60)
    wrong = RunData(experiment(spans), [player([4] * 90), player([4] * 30, start=30.0)])
    first, second = compute(wrong)["clients"]
    assert (first["rank"], first["infidelity_percent"]) == (1, 0)
    assert (second["infidelity_percent"], second["convergence_s"]) == (100, 60)


def test_who_comes_after_the_end_has_no_optimum() -> None:
    data = RunData(experiment([(0, None), (200, None)]), [player([4] * 90), player([])])
    first, second = compute(data)["clients"]
    assert (first["infidelity_percent"], first["play_s"]) == (0, 180)
    assert (second["infidelity_percent"], second["play_s"]) == (None, 0)


def test_share_of_a_client_counts_who_is_there() -> None:
    description = experiment([(0.0, None), (30.0, 90.0)], duration=120.0)
    sessions = sessions_of(description, [player([]), player([])])
    link = Link([[0.0, 8e6], [60.0, 4e6]], None)
    # client 1: 30 s of 8, 30 s of 4, 30 s of 2, 30 s of 4 Mbit/s -> 4.5; client 2: 4 and 2 -> 3
    assert share_bps(sessions[0], sessions, link) == pytest.approx(4.5e6)
    assert share_bps(sessions[1], sessions, link) == pytest.approx(3e6)


def test_link_loops() -> None:
    link = Link([[0.0, 1.0], [2.0, 3.0]], 3.0)
    at = np.array([0.0, 1.9, 2.0, 3.0, 5.5])
    assert link.rate_at(at).tolist() == [1, 1, 3, 1, 3]
    assert link.bits_until(at).tolist() == pytest.approx([0, 1.9, 2, 5, 5 + 2 + 1.5])


def bins(rows: list[tuple[int, int, int, int]]) -> dict[str, Any]:
    keys = ("t_ns", "sent_bytes", "sent_packets", "dropped")
    named = [{**dict(zip(keys, values, strict=True)), "backlog_max": 0} for values in rows]
    return columns_of_rows(QUEUE_10MS, named)


def test_utilisation_is_the_mean_of_10_ms_samples() -> None:
    # 1 Mbit/s carries 1250 bytes in 10 ms: 100 %, 50 %, 0 (no row), 0 -> 37.5; the row at 40 ms
    # lies outside
    record = bins([(0, 1250, 1, 0), (10_000_000, 625, 1, 1), (40_000_000, 1250, 2, 0)])
    assert utilisation_percent(record, Link([[0.0, 1e6]], None), 0.0, 0.04) == pytest.approx(37.5)
    dense = bins([(i * 10_000_000, 625, 1, 0) for i in range(100)])
    assert utilisation_percent(dense, Link([[0.0, 1e6]], None), 0.5, 1.0) == pytest.approx(50)
    # twice the rate in the second half, same bytes: (50 % + 25 %) / 2
    step = Link([[0.0, 1e6], [0.5, 2e6]], None)
    assert utilisation_percent(dense, step, 0.0, 1.0) == pytest.approx(37.5)
    assert loss_rate_percent(record) == 20.0  # 1 of 4 + 1
    assert loss_rate_percent(bins([])) is None


def test_queueing_delay_is_of_packets_sent() -> None:
    # 10, 20, 30 ms; the dropped one and the one still queued do not count
    rows = [packet(0, 10), packet(1, 21), packet(2, 32), packet(3, 500, 1), packet(4, -1, 2)]
    got = queueing_delay_s(columns_of_rows(QUEUE, rows))
    # 95th percentile of three: position 0.95 * 2 = 1.9 -> 20 + 0.9 * 10
    assert got is not None
    assert list(got) == pytest.approx([0.02, 0.029])
    assert queueing_delay_s(columns_of_rows(QUEUE, [])) is None


def test_rtt_inflation() -> None:
    columns = {name: [0, 0, 0] for name in TCP.names}
    acks = as_columns(TCP, {**columns, "srtt_us": [0, 100_000, 150_000]})
    assert rtt_inflation_percent(acks, 0.1) == pytest.approx(125)  # 0: no sample yet
    assert rtt_inflation_percent(acks, 0.0) is None


def test_fairness() -> None:
    assert unfairness_percent(np.array([25.0, 100.0, 50.0])) == 75
    assert unfairness_percent(np.array([25.0])) is None
    assert jain(np.array([1.0, 3.0])) == pytest.approx(16 / 20)
    assert jain(np.array([0.0, 0.0])) is None
    data = RunData(experiment([(0, None), (0, None)]), [player([4] * 90), player([1] * 90)])
    assert compute(data)["run"]["quality_unfairness_percent"] == 75  # 100 % - 25 %


@given(st.lists(st.floats(1e3, 1e8), min_size=2, max_size=32))
def test_jain_lies_between_one_nth_and_one(rates: list[float]) -> None:
    got = jain(np.array(rates))
    assert got is not None
    assert 1 / len(rates) - 1e-9 <= got <= 1 + 1e-9
