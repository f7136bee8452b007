"""Restarts after idle, by hand: 3 transfers on one connection, two of them after pauses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from weir.metrics import compute
from weir.metrics.restart import INFINITE_SSTHRESH, loss_percent, restarts
from weir.rundir import QUEUE, TCP, RunData, as_columns, columns_of_rows
from weir_testing.metrics import experiment, flow, packet, player

REQUEST_S = np.array([0.0, 10.0, 20.0])
LAST_BYTE_S = np.array([2.0, 11.0, 21.0])
ACKS = [  # ms, cwnd, ssthresh, rto_us
    (100, 10, INFINITE_SSTHRESH, 300_000),
    (10_000, 64, 48, 300_000),  # the second request
    (10_100, 10, 48, 300_000),
    (10_200, 20, 48, 300_000),
    (10_300, 48, 48, 300_000),  # slow start is left
    (10_400, 49, 48, 300_000),
    (20_100, 10, INFINITE_SSTHRESH, 300_000),  # never left
    (20_200, 20, INFINITE_SSTHRESH, 300_000),
]
PACKETS = [
    packet(50, 60),
    packet(10_050, 10_060),
    packet(10_060, 10_060, 1),  # lost in slow start
    packet(10_250, 10_260),
    packet(10_350, 10_350, 1),  # lost after it
    packet(20_050, 20_060),
    packet(20_060, 20_060, 1),
    packet(20_070, 20_070, 1),
    packet(20_250, 20_260),
]


def acks(rows: list[tuple[int, int, int, int]]) -> Any:
    ms, cwnd, ssthresh, rto_us = (np.array(column) for column in zip(*rows, strict=True))
    constant = {name: np.full(len(ms), 1) for name in ("srtt_us", "rwnd", "in_flight")}
    times = {"t_ns": ms * 1_000_000, "flow": np.zeros(len(ms))}
    return as_columns(
        TCP, {**constant, **times, "cwnd": cwnd, "ssthresh": ssthresh, "rto_us": rto_us}
    )


def test_each_restart() -> None:
    first, second = restarts(REQUEST_S, LAST_BYTE_S, acks(ACKS), columns_of_rows(QUEUE, PACKETS))
    assert (first.cwnd_segments, first.ssthresh_segments) == (10, 48)
    assert (first.started_s, first.ended_s) == (10.05, 10.3)
    assert (first.packets, first.drops) == (3, 1)
    assert (second.cwnd_segments, second.ssthresh_segments) == (10, INFINITE_SSTHRESH)
    assert (second.started_s, second.ended_s) == (20.05, None)
    assert (second.packets, second.drops) == (4, 2)
    assert loss_percent([first, second]) == pytest.approx(100 * 3 / 7)
    assert loss_percent([]) is None


def test_a_request_that_another_one_overlaps_follows_no_pause() -> None:
    """The first answer lasts until 19.9 s, beyond the whole second transfer."""
    last_byte_s = np.array([19.9, 11.0, 21.0])
    found = restarts(REQUEST_S, last_byte_s, acks(ACKS), columns_of_rows(QUEUE, PACKETS))
    assert list(found) == []


def test_a_pause_shorter_than_the_rto_is_none() -> None:
    patient = [(ms, cwnd, ssthresh, 9_500_000) for ms, cwnd, ssthresh, _ in ACKS]
    packets = columns_of_rows(QUEUE, PACKETS)
    assert list(restarts(REQUEST_S, LAST_BYTE_S, acks(patient), packets)) == []


def test_a_kept_window_counts_its_first_burst_only() -> None:
    """cwnd 64 >= ssthresh on the first ACK: the drop at 10.35 s is no longer the restart's."""
    kept = [(ms, 64 if ms > 10_000 else cwnd, 48, rto) for ms, cwnd, _, rto in ACKS]
    first, _ = restarts(REQUEST_S, LAST_BYTE_S, acks(kept), columns_of_rows(QUEUE, PACKETS))
    assert (first.ended_s, first.packets, first.drops) == (10.1, 2, 1)


def test_transfers_of_which_nothing_came_or_returned_are_none() -> None:
    nothing_came = columns_of_rows(QUEUE, PACKETS[:1])
    assert list(restarts(REQUEST_S, LAST_BYTE_S, acks(ACKS), nothing_came)) == []
    packets = columns_of_rows(QUEUE, PACKETS)
    assert list(restarts(REQUEST_S, LAST_BYTE_S, acks(ACKS[:1]), packets)) == []


def run_of(tcp: Any, queue: Any) -> Any:
    log = player([4, 4, 4])
    log |= {"request_s": REQUEST_S, "last_byte_s": LAST_BYTE_S}
    flows = [flow(0, 1, 40000)]
    data = RunData(experiment([(0, None)], 30.0), [log], flows=flows, tcp=tcp, queue=queue)
    return compute(data)


def test_the_metrics_of_a_run() -> None:
    got = run_of(acks(ACKS), columns_of_rows(QUEUE, PACKETS))
    (client,) = got["clients"]
    assert client["restarts"] == 2
    assert client["restarts_per_100_segments"] == pytest.approx(200 / 3)
    assert client["restart_loss_percent"] == pytest.approx(300 / 7)
    assert client["drops_per_restart"] == 1.5
    assert client["restart_cwnd_mean_segments"] == 10
    assert client["restart_ssthresh_mean_segments"] == 48
    assert client["restart_ssthresh_infinite_percent"] == 50
    assert client["restart_slow_start_mean_s"] == pytest.approx(0.25)
    assert got["run"]["restart_loss_all_percent"] == pytest.approx(300 / 7)


def test_without_records_nothing_is_said() -> None:
    (client,) = run_of(None, None)["clients"]
    assert client["restarts"] is None
    assert client["restart_loss_percent"] is None
