"""Sums by the second say what the packets and ACKs of the same run add up to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from weir.metrics import compute
from weir.records import Check
from weir.resolved import Experiment
from weir.rundir import RunData
from weir_lab.collect import CellResult
from weir_testing.cells import Runner, broken
from weir_testing.spec import resolved

pytestmark = pytest.mark.kernel

LIGHT = {"tcp": "per-second", "queue": "per-second"}
LIMIT = {"discipline": "drop-tail", "limit": "20packets"}
NEEDS_PACKETS = {"queueing_delay_p95_s", "cng", "froff"}


def asked(record: dict[str, str], **gateway: Any) -> Experiment:
    """Two clients whose last second is no whole one, with losses that the queue makes."""
    found: Experiment = resolved(
        duration="20500ms",
        content={"ladder": ["1Mbit/s", "6Mbit/s"]},
        gateway={
            "downlink": {"rate": "5Mbit/s", "queue": LIMIT},
            "path": {"rtt": {"mean": "40ms"}},
            **gateway,
        },
        clients=[{"player": "fixed", "count": 2, "options": {"level": 1}, "buffer": "60s"}],
        record=record,
    )
    return found


@pytest.fixture(scope="module")
def both(run_once: Runner) -> tuple[CellResult, CellResult]:
    """The same run recorded in full and by the second."""
    full = run_once(asked({"tcp": "full", "queue": "full"}))
    return full, run_once(asked(LIGHT))


def told(checks: list[Check]) -> dict[str, Any]:
    return {check["name"]: check for check in checks}


def tables(data: RunData) -> tuple[Any, Any, Any, Any]:
    """ACKs and packets, and sums of either."""
    return data.tcp, data.queue, data.tcp_seconds, data.queue_seconds


def test_checks_and_players_are_the_same(both: tuple[CellResult, CellResult]) -> None:
    full, light = both
    assert not broken(full) and not broken(light)
    assert told(light.data.checks) == told(full.data.checks)
    for mine, theirs in zip(light.data.players, full.data.players, strict=True):
        assert all(np.array_equal(mine[name], theirs[name], equal_nan=True) for name in theirs)


def test_what_is_known_is_the_same(both: tuple[CellResult, CellResult]) -> None:
    full, light = (compute(result.data) for result in both)
    for mine, theirs in [
        (light["run"], full["run"]), *zip(light["clients"], full["clients"], strict=True),
    ]:  # fmt: skip
        known = {name: value for name, value in mine.items() if value is not None}
        assert known == {name: theirs[name] for name in known}
    run, client = light["run"], light["clients"][0]
    assert run["loss_rate_percent"] and run["queueing_delay_mean_s"]
    assert run["rtt_inflation_percent"]
    assert client["retransmits"] and client["wire_throughput_bps"]
    assert {name for name in NEEDS_PACKETS if {**run, **client}[name] is not None} == set()


def test_a_summary_is_what_the_packets_add_up_to(
    both: tuple[CellResult, CellResult], run_once: Runner
) -> None:
    full, _ = both
    summary = run_once(asked({"tcp": "full", "queue": "summary"}))
    assert told(summary.data.checks) == told(full.data.checks)
    mine, theirs = summary.data.queue_10ms, full.data.queue_10ms
    assert mine and theirs and theirs["dropped"].any()
    assert {name: column.tolist() for name, column in mine.items()} == {
        name: column.tolist() for name, column in theirs.items()
    }
    assert summary.data.queue is None and summary.data.queue_seconds is None


def test_each_flows_seconds_add_up(both: tuple[CellResult, CellResult]) -> None:
    full, light = both
    acks, packets, _, _ = tables(full.data)
    _, _, sender, crossing = tables(light.data)
    assert sorted(set(sender["flow"])) == [0, 1]
    for flow in (0, 1):
        mine, theirs = sender["flow"] == flow, acks["flow"] == flow
        second = acks["t_ns"][theirs] // 10**9
        assert sender["t_ns"][mine].tolist() == (np.unique(second) * 10**9).tolist()
        assert sender["acks"][mine].tolist() == np.unique(second, return_counts=True)[1].tolist()
        srtt_us = acks["srtt_us"][theirs].astype(np.int64)
        assert int(sender["srtt_sum_us"][mine].sum()) == int(srtt_us.sum())
        assert int(sender["srtt_min_us"][mine].min()) == int(srtt_us.min())
        last = np.append(np.flatnonzero(np.diff(second)), len(second) - 1)
        assert sender["cwnd"][mine].tolist() == acks["cwnd"][theirs][last].tolist()
        assert sender["ssthresh"][mine].tolist() == acks["ssthresh"][theirs][last].tolist()
        sent = (packets["flow"] == flow) & (packets["fate"] == 0)
        left = packets["departure_ns"][sent] // 10**9
        rows = crossing["flow"] == flow
        assert crossing["sent_packets"][rows].sum() == sent.sum()
        of_second = {int(s): int(packets["size"][sent][left == s].sum()) for s in np.unique(left)}
        found = zip(crossing["t_ns"][rows] // 10**9, crossing["sent_bytes"][rows], strict=True)
        assert {int(s): int(count) for s, count in found if count} == of_second
        # Each byte that left the queue, once, but for those of the last round trip.
        _, first = np.unique(packets["seq"][sent], return_index=True)
        distinct = int(packets["payload"][sent][first].astype(np.int64).sum())
        in_flight = 5e6 / 8 * (0.04 + 0.06)
        assert distinct - in_flight <= int(sender["acked_bytes"][mine].sum()) <= distinct


def test_second_bottlenecks_have_their_own(run_once: Runner) -> None:
    upstream = {"upstream": {"rate": "4Mbit/s", "queue": LIMIT, "rtt": "10ms"}}
    full = run_once(asked({"tcp": "full", "queue": "full"}, **upstream))
    light = run_once(asked(LIGHT, **upstream))
    assert not broken(full) and not broken(light)
    assert told(light.data.checks) == told(full.data.checks)
    (mine,), (theirs,) = (compute(result.data)["upstream"] for result in (light, full))
    assert mine["queueing_delay_p95_s"] is None
    assert {**mine, "queueing_delay_p95_s": theirs["queueing_delay_p95_s"]} == theirs


def test_paths_have_their_own(run_once: Runner) -> None:
    def on_paths(record: dict[str, str]) -> Experiment:
        path = {"downlink": {"rate": "3Mbit/s", "queue": LIMIT}, "rtt": {"mean": "40ms"}}
        found: Experiment = resolved(
            duration="15s",
            content={"ladder": ["1Mbit/s", "6Mbit/s"]},
            gateway={"paths": {"dsl": path, "lte": path}},
            clients=[
                {"player": "fixed", "options": {"level": 1}, "buffer": "60s", "paths": [name]}
                for name in ("dsl", "lte")
            ],
            record=record,
        )
        return found

    full, light = run_once(on_paths({"tcp": "full", "queue": "full"})), run_once(on_paths(LIGHT))
    assert not broken(full) and not broken(light)
    assert told(light.data.checks) == told(full.data.checks)
    for mine, theirs in zip(
        compute(light.data)["paths"], compute(full.data)["paths"], strict=True
    ):  # fmt: skip
        assert mine["backlog_mean_packets"] and mine["rtt_inflation_percent"]
        assert {**mine, "queueing_delay_p95_s": theirs["queueing_delay_p95_s"]} == theirs
