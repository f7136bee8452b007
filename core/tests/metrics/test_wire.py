"""What of a client's connections left the bottlenecks."""

from __future__ import annotations

import pytest
from weir.metrics import compute
from weir.records import FlowRecord
from weir.rundir import QUEUE, RunData, columns_of_rows
from weir.rundir.schemas import PATH
from weir_testing.metrics import experiment, flow, packet, player


def test_frames_are_counted_by_path_and_only_if_sent() -> None:
    """Three of flow 0 on wifi, one of them dropped, and two of flow 1 on lte, in 10 s."""
    asked = experiment([(0, None)], duration=10.0)
    gateway = asked["gateway"]
    gateway["name"], gateway["others"] = "wifi", [{**gateway, "name": "lte"}]
    asked["clients"][0]["paths"] = ["wifi", "lte"]
    rows = [
        {**packet(1000 * k, 1000 * k + 1, fate), "flow": number, "path": number, "size": 1250}
        for k, (number, fate) in enumerate([(0, 0), (0, 1), (0, 0), (1, 0), (1, 0)])
    ]
    flows: list[FlowRecord] = [
        {**flow(number, 1, 40000 + number), "path": name}
        for number, name in enumerate(["wifi", "lte"])
    ]
    data = RunData(
        asked, [player([0])], queue=columns_of_rows(QUEUE.append(PATH), rows), flows=flows
    )
    (client,) = compute(data)["clients"]
    assert client["wire_throughput_bps"] == pytest.approx(4 * 1250 * 8 / 10)
    assert client["other_paths_percent"] == pytest.approx(50)
