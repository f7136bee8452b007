"""Checks: what passes, what fails, and by how little."""

from __future__ import annotations

import json
from typing import Any, Literal

import numpy as np
import pytest
from weir.records import EventRecord, FlowRecord
from weir_lab import checks
from weir_lab.record import DROPPED, SENT, Record
from weir_testing.cells import client, experiment
from weir_testing.metrics import flow

FLOWS = [flow(0, 1, 40000)]


def queue(sent: int, dropped: int = 0, gap_ns: int = 1_514_000, backlog: int = 10) -> Any:
    """A busy queue: frames of 1514 bytes leave every `gap_ns`; 1,514,000 ns is 8 Mbit/s."""
    n = sent + dropped
    departure = np.arange(n, dtype=np.int64) * gap_ns
    return {
        "arrival_ns": departure - 10 * gap_ns,
        "departure_ns": departure,
        "fate": np.array([SENT] * sent + [DROPPED] * dropped, np.uint8),
        "size": np.full(n, 1514, np.uint16),
        "backlog": np.full(n, backlog, np.uint32),
        "flow": np.full(n, -1, np.int16),
        "payload": np.full(n, 1448, np.uint16),
    }


def counters(packets: int, drops: int, limit: int = 67) -> str:
    root = {"kind": "htb", "root": True, "packets": packets, "drops": drops, "options": {}}
    leaf = {"kind": "pfifo", "packets": packets, "drops": drops, "options": {"limit": limit}}
    return json.dumps([root, leaf])


def found(
    changes: dict[str, Any] | None = None,
    flows: list[FlowRecord] | None = None,
    seen: Any = None,
    rtts_s: list[float] | None = None,
    counted: str | None = None,
    events: list[EventRecord] | None = None,
) -> dict[str, bool]:
    """Names of the checks and whether each is ok."""
    record = Record(
        FLOWS if flows is None else flows, {}, {}, queue(1000) if seen is None else seen
    )
    result = checks.all_checks(
        experiment(changes or {}, client()),
        record,
        {0: [0.1] * 20 if rtts_s is None else rtts_s},
        [counters(1000, 0) if counted is None else counted],
        events or [],
        [],
    )
    return {check["name"]: check["ok"] for check in result}


def test_all_is_well() -> None:
    assert found() == {
        "idle_rtt_s": True,
        "congestion_control": True,
        "queue_drops_packets": True,
        "queue_sent_packets": True,
        "queue_limit_packets": True,
        "downlink_rate_bps": True,
    }


@pytest.mark.parametrize(("rtt_s", "ok"), [(0.10009, True), (0.10011, False), (0.0998, False)])
def test_idle_rtt(rtt_s: float, ok: bool) -> None:
    assert found(rtts_s=[rtt_s] * 20)["idle_rtt_s"] == ok


def test_idle_rtt_of_a_jittering_path_may_stray_by_4_standard_errors() -> None:
    jitter = {"gateway.path.rtt.stddev_s": 0.007}
    assert found(jitter, rtts_s=[0.1062] * 20)["idle_rtt_s"]
    assert not found(jitter, rtts_s=[0.1065] * 20)["idle_rtt_s"]


def test_no_answer_is_no_rtt_unless_the_path_loses() -> None:
    assert not found(rtts_s=[])["idle_rtt_s"]
    assert found({"gateway.path.loss.uplink": 1.0}, rtts_s=[])["idle_rtt_s"]


@pytest.mark.parametrize("names", [["reno"], ["cubic", "reno"], []])
def test_another_congestion_control(names: list[str]) -> None:
    flows: list[FlowRecord] = [
        {**flow(k, k + 1, 40000), "congestion_control": name} for k, name in enumerate(names)
    ]
    assert not found(flows=flows)["congestion_control"]


def test_where_nobody_asked_for_anything_no_other_control_ran() -> None:
    assert found(flows=[], seen=queue(0), counted=counters(0, 0))["congestion_control"]


def test_tcs_counters_must_agree() -> None:
    assert not found(counted=counters(1000, 1))["queue_drops_packets"]
    assert not found(counted=counters(999, 0))["queue_sent_packets"]
    assert found(seen=queue(1000, 3), counted=counters(1000, 3))["queue_drops_packets"]


@pytest.mark.parametrize(("deepest", "ok"), [(68, True), (69, False)])
def test_the_queues_limit(deepest: int, ok: bool) -> None:
    assert found(seen=queue(1000, backlog=deepest))["queue_limit_packets"] == ok


@pytest.mark.parametrize(("gap", "ok"), [(1.004, True), (1.006, False), (0.994, False)])
def test_the_links_rate(gap: float, ok: bool) -> None:
    assert found(seen=queue(1000, gap_ns=round(1_514_000 * gap)))["downlink_rate_bps"] == ok


def test_an_idle_link_says_nothing_of_its_rate() -> None:
    idle = queue(1000)
    idle["arrival_ns"] = idle["departure_ns"]
    assert "downlink_rate_bps" not in found(seen=idle)
    assert "downlink_rate_bps" not in found(seen=queue(300), counted=counters(300, 0))


def test_records_that_are_off_are_not_checked() -> None:
    off = {"record": {"tcp": "off", "queue": "off"}}
    assert list(found(off)) == ["idle_rtt_s"]


def loss_event(
    name: Literal["loss-begins", "loss-ends"], t_s: float, packets: int, drops: int
) -> EventRecord:
    event: EventRecord = {"t_s": t_s, "event": name, "host": "gateway", "on": "uplink"}
    event["counted"] = {"packets": packets, "drops": drops}
    event["applied"] = []
    if name == "loss-begins":
        event["loss"] = 0.5
    return event


@pytest.mark.parametrize(("lost", "ok"), [(100, True), (120, True), (135, False), (0, False)])
def test_loss_of_an_event(lost: int, ok: bool) -> None:
    events = [
        loss_event("loss-begins", 30.0, 1000, 5),
        loss_event("loss-ends", 31.0, 1000 + 200 - lost, 5 + lost),
    ]
    assert found(events=events)["loss_uplink_at_30.000s"] == ok


def test_one_packet_of_few_may_stray() -> None:
    """6 of 7: 1 - 6 / 7 is above 1 / 7 by the last digit of a float."""
    events = [loss_event("loss-begins", 30.0, 0, 0), loss_event("loss-ends", 31.0, 1, 6)]
    events[0]["loss"] = 1.0
    assert found(events=events)["loss_uplink_at_30.000s"]


def test_an_event_without_traffic_is_no_fault() -> None:
    events = [loss_event("loss-begins", 30.0, 10, 0), loss_event("loss-ends", 31.0, 10, 0)]
    assert found(events=events)["loss_uplink_at_30.000s"]


@pytest.mark.parametrize(("second", "ok"), [(27, True), (0x7FFFFFFF, False)])
def test_every_connection_must_begin_with_the_ssthresh_that_is_asked(second: int, ok: bool) -> None:
    asked = experiment({}, client())
    asked["server"]["initial_ssthresh_segments"] = 27
    record = Record(FLOWS, {}, {}, queue(1000), initial_ssthresh=[27, second])
    result = checks.all_checks(asked, record, {0: [0.1] * 20}, [counters(1000, 0)], [], [])
    assert {one["name"]: one["ok"] for one in result}["initial_ssthresh_segments"] == ok
