"""Metrics of a second bottleneck."""

from __future__ import annotations

from typing import Any

import pytest
from weir.metrics import compute
from weir.rundir import QUEUE, QUEUE_10MS, RunData, columns_of_rows
from weir_testing.metrics import experiment, flow, packet, player


def asked() -> Any:
    """Ten seconds; 2 Mbit/s stand before the gateway's 8, with 50 ms of their own."""
    made = experiment([(0, None)], duration=10.0)
    made["gateway"]["upstream"] = {
        "link": {"rate_steps": [[0.0, 2e6]], "rate_loop_s": None, "queue": None},
        "rtt_s": 0.05,
    }
    return made


def test_it_has_its_own_beside_the_gateways() -> None:
    """Of four packets one is dropped upstream; the others wait there for 4, 6 and 8 ms."""
    waits = [(4, 0), (6, 0), (8, 0), (0, 1)]
    first = [
        {**packet(1000 + k, 1000 + k + wait, fate), "size": 1250, "backlog": k}
        for k, (wait, fate) in enumerate(waits)
    ]
    second = [{**packet(1100 + k, 1101 + k, 0), "size": 1250, "backlog": 0} for k in range(3)]
    bins = {"t_ns": 10**9, "sent_bytes": 3750, "sent_packets": 3, "backlog_max": 3}
    data = RunData(
        asked(),
        [player([0] * 5)],
        queue=columns_of_rows(QUEUE, second),
        queue_10ms=columns_of_rows(QUEUE_10MS, [{**bins, "dropped": 0}]),
        upstream=columns_of_rows(QUEUE, first),
        upstream_10ms=columns_of_rows(QUEUE_10MS, [{**bins, "dropped": 1}]),
        flows=[flow(0, 1, 40000)],
    )
    metrics = compute(data)
    (found,) = metrics["upstream"]
    assert "path" not in found
    assert found["throughput_bps"] == pytest.approx(3750 * 8 / 10)
    assert found["link_utilisation_percent"] == pytest.approx(100 * 3750 * 8 / 2e7)
    assert (found["dropped_packets"], found["loss_rate_percent"]) == (1, 25)
    assert found["queueing_delay_mean_s"] == pytest.approx(0.006)
    assert (found["backlog_mean_packets"], found["backlog_max_packets"]) == (1.5, 3)
    assert metrics["run"]["loss_rate_percent"] == 0
    assert metrics["run"]["queueing_delay_mean_s"] == pytest.approx(0.001)


def test_without_one_there_is_no_word_of_it() -> None:
    data = RunData(experiment([(0, None)]), [player([0])])
    assert "upstream" not in compute(data)


def test_without_its_records_it_has_none_of_them() -> None:
    (found,) = compute(RunData(asked(), [player([0])]))["upstream"]
    assert set(found.values()) == {None}
