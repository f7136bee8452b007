"""Which phase of a transfer each drop falls into."""

from __future__ import annotations

import numpy as np
import pytest
from weir.metrics.context import prepare
from weir.metrics.loss_phase import PHASES, phase_of_drops, phases
from weir.records import FlowRecord
from weir.rundir import (
    QUEUE,
    RunData,
    columns_of_rows,
)
from weir_testing.metrics import experiment, packet, player


@pytest.mark.parametrize("base", [0, 2**32 - 2500])
def test_phase_of_each_drop(base: int) -> None:
    """Requests at 0 and 1 s, RTT 100 ms; first packets leave at 60 and 1060 ms."""
    rows = [
        packet(50, 60, 0, base),
        packet(51, 51, 1, base + 1000),  # burst
        packet(160, 160, 1, base + 2000),  # burst: 60 + 100 ms is the edge
        packet(170, 170, 1, base + 3000),  # ACK-clocking
        packet(200, 200, 1, base + 1000),  # ACK-clocking: a retransmission amid new data
        packet(300, 310, 0, base + 4000),
        packet(400, 400, 1, base + 3000),  # ACK-trailing
        packet(500, 510, 0, base + 3000),
        packet(1050, 1060, 0, base + 5000),
        packet(1055, 1055, 1, base + 3000),  # trailing: it carries segment 1's bytes
        packet(1070, 1070, 1, base + 6000),  # burst of segment 2
    ]
    asked = columns_of_rows(QUEUE, rows), np.array([0.0, 1.0]), np.array([True, True]), 0.1, 0.0
    assert phases(*asked) == (3, 2, 2)
    burst, clocking, trailing = range(len(PHASES))
    in_order = [burst, burst, clocking, clocking, trailing, trailing, burst]
    assert phase_of_drops(*asked).tolist() == in_order
    assert phases(asked[0], np.zeros(0), np.zeros(0, dtype=bool), 0.1, 0.0) == (0, 0, 0)


def test_an_unfinished_transfer_has_no_trailing_phase() -> None:
    rows = [
        packet(50, 60, 0, 0),
        packet(1050, 1060, 0, 1000),  # of the second segment, which never came whole
        packet(1500, 1500, 1, 1000),
    ]
    requests = np.array([0.0, 1.0])
    got = phases(columns_of_rows(QUEUE, rows), requests, np.array([True, False]), 0.1, 0)
    assert got == (0, 1, 0)


@pytest.mark.parametrize(
    ("ahead_s", "expected"), [(0.0, (1, 4, 1)), (0.05, (1, 3, 2)), (0.1, (1, 2, 3))]
)
def test_the_server_is_done_before_its_last_bytes_reach_the_bottleneck(
    ahead_s: float, expected: tuple[int, int, int]
) -> None:
    """New data comes until 400 ms; with 50 ms of the way ahead the server was done at 350 ms."""
    rows = [
        packet(100, 110, 0, 0),
        packet(130, 130, 1, 1000),  # burst
        packet(290, 290, 1, 2000),  # ACK-clocking in any case: a retransmission
        packet(310, 310, 1, 3000),  # ACK-trailing if done at 300 ms
        packet(320, 320, 0, 4000),
        packet(360, 360, 1, 5000),  # ACK-trailing if done at 350 ms
        packet(280, 280, 1, 2000),  # ACK-clocking in any case
        packet(400, 400, 0, 6000),
        packet(450, 450, 1, 3000),  # ACK-trailing in any case
    ]
    rows.sort(key=lambda row: row["arrival_ns"])
    columns = columns_of_rows(QUEUE, rows)
    assert phases(columns, np.array([0.0]), np.array([True]), 0.1, ahead_s) == expected


def test_a_drop_from_the_queues_head_counts_when_it_happens() -> None:
    """CoDel drops what has waited: here until the server had sent everything."""
    rows = [packet(50, 60), packet(300, 350, 0, 1000), packet(310, 420, 1, 2000)]
    rows.append(packet(400, 430, 0, 3000))
    early = [*rows[:2], packet(310, 390, 1, 2000), rows[3]]
    for packets, expected in ((rows, (0, 0, 1)), (early, (0, 1, 0))):
        columns = columns_of_rows(QUEUE, packets)
        assert phases(columns, np.array([0.0]), np.array([True]), 0.1, 0) == expected


def test_burst_is_the_first_window_even_when_nothing_follows() -> None:
    rows = [packet(50, 60), packet(51, 51, 1, 1000), packet(52, 70, 1, 2000)]
    columns = columns_of_rows(QUEUE, rows)
    assert phases(columns, np.array([0.0]), np.array([True]), 0.1, 0.1) == (2, 0, 0)


@pytest.mark.parametrize(("on", "ahead_s"), [("uplink", 0.0), ("split", 0.05), ("downlink", 0.1)])
def test_what_of_the_rtt_lies_ahead_of_the_bottleneck(on: str, ahead_s: float) -> None:
    asked = experiment([(0, None)])
    asked["gateway"]["path"]["rtt"]["on"] = on
    flow: FlowRecord = {
        "flow": 0, "client": 1, "local_port": 80, "remote_port": 1, "remote_address": "10.0.2.11",
        "congestion_control": "cubic", "mss_bytes": 1448,
    }  # fmt: skip
    assert prepare(RunData(asked, [player([0])])).ahead_s(flow) == ahead_s
