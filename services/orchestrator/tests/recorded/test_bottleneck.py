"""Curves of a bottleneck's queue, its drops with their phases, and what was sent again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from weir import rundir
from weir.metrics.compute import compute
from weir.resolved_network import Link
from weir.rundir import (
    PLAYER,
    QUEUE,
    QUEUE_10MS,
    RETRANSMITS,
    RunData,
    as_columns,
    columns_of_rows,
)
from weir_orchestrator.objects import open_store, put_folder
from weir_orchestrator.recorded import RunFiles, curves
from weir_orchestrator.recorded.curves import Curve, Window
from weir_testing.metrics import flow
from weir_testing.platform.work import EXPERIMENT

WHOLE = Window(0.0, 20.0, 2000)
KEY = "0" * 32

# (arrival, departure in ms, fate, sequence number, backlog, flow).
# Requests at 0 and 1 s, RTT 100 ms.
PACKETS = [
    (50, 60, 0, 0, 0, 0),
    (51, 51, 1, 1000, 66, 0),  # burst
    (60, 61, 0, 0, 67, 7),
    (61, 61, 1, 1000, 67, 7),  # of a flow that nobody recorded
    (170, 170, 1, 3000, 65, 0),  # ACK-clocking
    (300, 310, 0, 4000, 1, 0),
    (400, 400, 1, 3000, 64, 0),  # ACK-trailing
    (1050, 1060, 0, 5000, 0, 0),
    (1070, 1070, 1, 6000, 63, 0),  # burst of the second segment
]


@pytest.fixture
def run(tmp_path: Path) -> tuple[RunFiles, RunData]:
    """A run directory in a store, and what it was made of."""
    data = RunData(
        experiment={**EXPERIMENT, "record": {"tcp": "full", "queue": "full"}},
        players=[_player([0.0, 1.0])],
        retransmits=as_columns(
            RETRANSMITS, {"t_ns": [2e8, 4e8, 5e8], "flow": [0, 0, 7], "seq": [1000, 3000, 1]}
        ),
        queue=columns_of_rows(QUEUE, [_packet(*packet) for packet in PACKETS]),
        queue_10ms=as_columns(
            QUEUE_10MS,
            {
                "t_ns": np.arange(20) * 10_000_000,
                "sent_bytes": np.full(20, 1250),
                "sent_packets": np.ones(20),
                "dropped": np.zeros(20),
                "backlog_max": np.arange(20),
            },
        ),
        flows=[flow(0, 1, 40001)],
    )
    rundir.save(tmp_path / "run", data)
    objects = open_store(f"file://{tmp_path}/store")
    put_folder(objects, "runs/00/" + KEY, tmp_path / "run")
    return RunFiles(objects, "runs/00/" + KEY), data


def _packet(
    arrival_ms: int, departure_ms: int, fate: int, seq: int, backlog: int, flow: int
) -> dict[str, int]:
    return {
        "arrival_ns": arrival_ms * 1_000_000,
        "departure_ns": departure_ms * 1_000_000,
        "fate": fate,
        "reason": 0,
        "size": 1052,
        "flow": flow,
        "backlog": backlog,
        "seq": seq,
        "payload": 1000,
    }


def _player(request_s: list[float]) -> rundir.Columns:
    n = len(request_s)
    request = np.array(request_s)
    rows: dict[str, Any] = {name: np.zeros(n) for name in PLAYER.names}
    rows |= {"segment": np.arange(n), "bitrate_bps": np.full(n, 1e6), "connection": [40001] * n}
    rows |= {"request_s": request, "first_byte_s": request + 0.1, "last_byte_s": request + 0.5}
    rows |= {"size_bytes": np.full(n, 250_000), "status": np.full(n, 206)}
    return as_columns(PLAYER, rows)


def drawn(run: tuple[RunFiles, RunData], kind: str, window: Window = WHOLE) -> list[Curve]:
    files, data = run
    return curves(files, data.experiment, [kind], window)


def test_the_queue_and_its_delay_are_those_of_every_packet(run: tuple[RunFiles, RunData]) -> None:
    (queue,) = drawn(run, "queue")
    assert (queue.unit, queue.shape) == ("packets", "step")
    # As each packet found it, and empty from when all have left it until the next one comes.
    assert list(zip(queue.t_s, queue.values, strict=True)) == [
        (0.05, 0), (0.051, 66), (0.06, 67), (0.061, 67), (0.061, 0), (0.17, 65), (0.17, 0),
        (0.3, 1), (0.31, 0), (0.4, 64), (0.4, 0), (1.05, 0), (1.06, 0), (1.07, 63),
    ]  # fmt: skip
    (delay,) = drawn(run, "queueing_delay")
    assert delay.values == pytest.approx([0.01, 0.001, 0.01, 0.01])


def test_drops_carry_the_phase_that_the_metric_counts(run: tuple[RunFiles, RunData]) -> None:
    own, others = drawn(run, "drops")
    assert (own.client, own.flow) == (1, 0)
    assert own.t_s == pytest.approx([0.051, 0.17, 0.4, 1.07])
    assert own.values == [66, 65, 64, 63]
    assert own.labels == ["burst", "ack-clocking", "ack-trailing", "burst"]
    counted = compute(run[1])["run"]
    for phase in set(own.labels):
        assert counted[f"drops_{phase.replace('-', '_')}"] == own.labels.count(phase)
    assert (others.client, others.flow, others.labels) == (None, None, [""])
    (later, _) = drawn(run, "drops", Window(0.1, 0.5, 2000))
    assert later.labels == ["ack-clocking", "ack-trailing"]


def test_retransmissions_are_marks_of_their_flow(run: tuple[RunFiles, RunData]) -> None:
    (sent,) = drawn(run, "retransmits")
    assert (sent.client, sent.flow, sent.shape) == (1, 0, "marks")
    assert sent.t_s == [0.2, 0.4]


def test_rates_are_what_was_sent_and_what_was_asked(run: tuple[RunFiles, RunData]) -> None:
    (sent,) = drawn(run, "sent_rate")
    assert sent.values[:3] == [1e6, 1e6, 0.0]  # 1250 bytes in 10 ms, for 200 ms
    (link,) = drawn(run, "link_rate")
    assert set(link.values) == {8e6}


@pytest.fixture
def on_two_paths(run: tuple[RunFiles, RunData], tmp_path: Path) -> tuple[RunFiles, RunData]:
    """The same records: the known flow on wifi of 8 Mbit/s, the other one on lte of 2 Mbit/s."""
    _, data = run
    gateway = data.experiment["gateway"]
    slower: Link = {**gateway["downlink"], "rate_steps": [[0.0, 2e6]]}
    data.experiment["gateway"] = {
        **gateway,
        "name": "wifi",
        "others": [{"name": "lte", "downlink": slower, "uplink": gateway["uplink"],
                    "path": gateway["path"]}],
    }  # fmt: skip
    assert data.queue is not None
    assert data.queue_10ms is not None
    data.flows = [{**data.flows[0], "path": "wifi"}]
    on_lte = np.array([packet[5] == 7 for packet in PACKETS])
    data.queue["path"] = on_lte.astype(np.uint8)
    data.queue_10ms["path"] = np.repeat([0, 1], [15, 5]).astype(np.uint8)
    rundir.save(tmp_path / "two", data)
    objects = open_store(f"file://{tmp_path}/store")
    put_folder(objects, "runs/11/" + KEY, tmp_path / "two")
    return RunFiles(objects, "runs/11/" + KEY), data


def by_path(run: tuple[RunFiles, RunData], kind: str) -> dict[str | None, Curve]:
    found = drawn(run, kind)
    assert len(found) == len({curve.path for curve in found})
    return {curve.path: curve for curve in found}


def test_each_path_has_its_own_queue_delay_and_rates(
    on_two_paths: tuple[RunFiles, RunData],
) -> None:
    queue = by_path(on_two_paths, "queue")
    assert queue["lte"].values == [67, 67]
    assert queue["wifi"].values == [0, 66, 0, 65, 0, 1, 0, 64, 0, 0, 0, 63]
    assert by_path(on_two_paths, "queueing_delay")["lte"].values == pytest.approx([0.001])
    sent = by_path(on_two_paths, "sent_rate")
    # 1250 bytes in 10 ms: on wifi for the first 150 ms, on lte for 50 ms from there on.
    assert sent["wifi"].values[:3] == [1e6, 5e5, 0.0]
    assert sent["lte"].values[:3] == [0.0, 5e5, 0.0]
    rates = by_path(on_two_paths, "link_rate")
    assert {name: set(curve.values) for name, curve in rates.items()} == {
        "wifi": {8e6},
        "lte": {2e6},
    }


def test_drops_and_retransmissions_name_the_path_of_their_flow(
    on_two_paths: tuple[RunFiles, RunData],
) -> None:
    drops = by_path(on_two_paths, "drops")
    assert (drops["wifi"].client, drops["wifi"].labels[0]) == (1, "burst")
    assert (drops["lte"].client, drops["lte"].values) == (None, [67])
    (sent,) = drawn(on_two_paths, "retransmits")
    assert sent.path == "wifi"


def test_without_names_no_curve_has_a_path(run: tuple[RunFiles, RunData]) -> None:
    for kind in ("queue", "drops", "sent_rate", "link_rate", "retransmits"):
        assert {curve.path for curve in drawn(run, kind)} == {None}
