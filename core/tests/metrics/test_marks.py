"""What the bottleneck did to a client's own packets."""

from __future__ import annotations

import pytest
from weir.metrics import compute
from weir.rundir import QUEUE, RunData, columns_of_rows
from weir.rundir.schemas import ECN
from weir_testing.metrics import experiment, flow, packet, player


def test_each_client_has_its_own_delays_and_marks() -> None:
    """Client 1: 1 and 3 ms, the second marked, and one dropped; client 2: 9 ms, unmarked."""
    spans: list[tuple[float, float | None]] = [(0, None), (0, None)]
    told = [(0, 1, 0, 0), (0, 3, 0, 1), (0, 50, 1, 0), (1, 9, 0, 0)]
    rows = [
        {**packet(100 * k, 100 * k + waits_ms, fate), "flow": number, "ecn": 1, "marked": marked}
        for k, (number, waits_ms, fate, marked) in enumerate(told)
    ]
    flows = [flow(0, 1, 40000), flow(1, 2, 40001)]
    asked = experiment(spans, duration=10.0)
    players = [player([0]), player([0])]
    schema = QUEUE.append(ECN[0]).append(ECN[1])
    data = RunData(asked, players, queue=columns_of_rows(schema, rows), flows=flows)
    first, second = compute(data)["clients"]
    assert first["own_queueing_delay_mean_s"] == pytest.approx(0.002)
    assert first["own_queueing_delay_p95_s"] == pytest.approx(0.0029)
    assert first["ce_marked_percent"] == pytest.approx(50)
    assert second["own_queueing_delay_mean_s"] == pytest.approx(0.009)
    assert second["ce_marked_percent"] == 0
    data.queue = columns_of_rows(QUEUE, rows)
    unmarked, _ = compute(data)["clients"]
    assert unmarked["ce_marked_percent"] is None
    assert unmarked["own_queueing_delay_mean_s"] == first["own_queueing_delay_mean_s"]
