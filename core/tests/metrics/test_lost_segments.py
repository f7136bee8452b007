"""Distinct lost segments, by hand."""

from __future__ import annotations

import pytest
from weir.metrics import compute
from weir.metrics.lost_segments import distinct_and_lost
from weir.rundir import QUEUE, RunData, columns_of_rows
from weir_testing.metrics import experiment, packet, player


def test_a_segment_counts_once_however_often_it_is_lost() -> None:
    rows = [
        packet(1, 2, 0, seq=0),
        packet(2, 2, 1, seq=1000),
        packet(3, 3, 1, seq=1000),
        packet(4, 5, 0, seq=1000),
        packet(5, 6, 0, seq=2000),
        packet(6, 7, 0, seq=2000),
        {**packet(7, 8, 1, seq=3000), "payload": 0},  # no data
    ]
    assert distinct_and_lost(columns_of_rows(QUEUE, rows)) == (3, 1)
    assert distinct_and_lost(columns_of_rows(QUEUE, [])) == (0, 0)


def test_all_flows_of_a_run_together() -> None:
    """Flow 0 loses one of two segments, flow 1 none of two of the same numbers."""
    rows = [
        packet(1, 2, 0, seq=0),
        packet(2, 2, 1, seq=1000),
        {**packet(3, 4, 0, seq=0), "flow": 1},
        {**packet(4, 5, 0, seq=1000), "flow": 1},
    ]
    queue = columns_of_rows(QUEUE, rows)
    data = RunData(experiment([(0, None)], 10.0), [player([4] * 5)], queue=queue)
    assert compute(data)["run"]["lost_segments_percent"] == pytest.approx(25)
    nothing = RunData(experiment([(0, None)], 10.0), [player([4] * 5)])
    assert compute(nothing)["run"]["lost_segments_percent"] is None
