"""Windows that the network has not confirmed, by hand."""

from __future__ import annotations

import numpy as np
from weir.metrics.validation import non_validated
from weir.rundir import QUEUE, Columns, columns_of_rows
from weir_testing.metrics import packet

SRTT_US = 100_000


def acks(at_s: list[float], cwnd: int, srtt_us: int = SRTT_US) -> Columns:
    count = len(at_s)
    return {
        "t_ns": np.round(np.array(at_s) * 1e9).astype(np.int64),
        "cwnd": np.full(count, cwnd, dtype=np.uint32),
        "srtt_us": np.full(count, srtt_us, dtype=np.uint32),
    }


def burst(start_ms: float, packets: int) -> list[dict[str, int]]:
    return [packet(start_ms, start_ms + k) for k in range(packets)]


def test_ten_packets_in_a_round_trip_confirm_a_window_of_twenty() -> None:
    packets = columns_of_rows(QUEUE, burst(1000, 10))
    assert non_validated(acks([1.01], cwnd=20), packets, behind_s=0).tolist() == [False]
    assert non_validated(acks([1.01], cwnd=21), packets, behind_s=0).tolist() == [True]


def test_a_sample_holds_for_a_second() -> None:
    packets = columns_of_rows(QUEUE, burst(1000, 10))
    asked = acks([1.01, 1.9, 2.3], cwnd=20)
    assert non_validated(asked, packets, behind_s=0).tolist() == [False, False, True]


def test_an_ack_comes_later_than_its_packet_left_by_the_way_on() -> None:
    packets = columns_of_rows(QUEUE, burst(1000, 10))
    early = acks([1.02], cwnd=20)
    assert non_validated(early, packets, behind_s=0.05).tolist() == [True]


def test_drops_confirm_nothing_and_no_srtt_says_nothing() -> None:
    lost = columns_of_rows(QUEUE, [{**row, "fate": 1} for row in burst(1000, 10)])
    assert non_validated(acks([1.01], cwnd=20), lost, behind_s=0).tolist() == [True]
    assert non_validated(acks([1.01], cwnd=20, srtt_us=0), lost, behind_s=0).tolist() == [False]
