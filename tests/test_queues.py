"""Every queue discipline: its record equals tc's counters, and its limit holds."""

from __future__ import annotations

import numpy as np
import pytest
from weir_lab.collect import CellResult
from weir_testing.cells import (
    DROPPED,
    SENT,
    Runner,
    broken,
    bulk,
    checks_of,
    client,
    experiment,
    rows,
)

pytestmark = pytest.mark.kernel

RED = {
    "min_bytes": 16750,
    "max_bytes": 50250,
    "avpkt_bytes": 1000,
    "burst_packets": 28,
    "probability": 0.02,
    "rate_bps": 8e6,
    "ecn": False,
}
SOJOURN = {"target_s": 0.005, "interval_s": 0.1, "ecn": False}
OPTIONS = {
    "drop-tail": {},
    "sfq": {},
    "red": RED,
    "ared": RED,
    "codel": SOJOURN,
    "fq-codel": SOJOURN | {"flows": 1024},
    "pie": {"target_s": 0.015, "tupdate_s": 0.015, "ecn": False},
    "cake": {},
}
LIMIT = 67


def saturated(run_once: Runner, discipline: str) -> CellResult:
    """Two bulk clients on 8 Mbit/s for 20 s."""
    queue = {"discipline": discipline, "limit_packets": LIMIT, "options": OPTIONS[discipline]}
    return run_once(experiment({"gateway.downlink.queue": queue}, bulk(), bulk()))


@pytest.mark.parametrize("discipline", OPTIONS)
def test_drops_and_departures_are_tcs(run_once: Runner, discipline: str) -> None:
    result = saturated(run_once, discipline)
    assert not broken(result)
    checks = checks_of(result)
    drops, sent = checks["queue_drops_packets"], checks["queue_sent_packets"]
    assert drops["measured"] == drops["applied"] > 0
    assert sent["measured"] == sent["applied"] > 10_000
    fate = rows(result.data.queue)["fate"]
    # The record keeps the experiment's time; tc also counts what came before and after it.
    assert 0 < (fate == DROPPED).sum() <= drops["applied"]
    assert sent["applied"] - 300 <= (fate == SENT).sum() <= sent["applied"]


@pytest.mark.parametrize("discipline", OPTIONS)
def test_the_limit_holds(run_once: Runner, discipline: str) -> None:
    result = saturated(run_once, discipline)
    queue = rows(result.data.queue)
    deepest = queue["backlog"].max()
    # HTB has one packet more in hand; RED and CAKE count bytes, of which CAKE the memory's.
    assert deepest <= LIMIT + 1
    if discipline in ("drop-tail", "sfq"):
        assert deepest >= LIMIT - 1
    said = [one["line"] for one in result.commands if "parent 1:1 " in one["line"]]
    assert any(f" {LIMIT}" in line or f" {LIMIT * 1500}" in line for line in said)


def test_the_qdisc_in_effect_is_the_one_asked(run_once: Runner) -> None:
    kernel_names = {"drop-tail": "pfifo", "ared": "red", "fq-codel": "fq_codel"}
    for discipline in OPTIONS:
        commands = saturated(run_once, discipline).commands
        name = kernel_names.get(discipline, discipline)
        assert sum(f"handle 2: {name} " in one["line"] for one in commands) == 1


def test_active_queues_keep_the_delay_low(run_once: Runner) -> None:
    def delay_s(discipline: str) -> float:
        queue = rows(saturated(run_once, discipline).data.queue)
        late = (queue["fate"] == SENT) & (queue["arrival_ns"] > 8e9)
        return float(np.mean(queue["departure_ns"][late] - queue["arrival_ns"][late]) / 1e9)

    full = delay_s("drop-tail")
    assert full > 0.04
    for discipline in ("codel", "fq-codel", "pie"):
        assert delay_s(discipline) < 0.7 * full


def test_a_fair_queue_is_fair(run_once: Runner) -> None:
    queue = rows(saturated(run_once, "fq-codel").data.queue)
    late = (queue["fate"] == SENT) & (queue["arrival_ns"] > 8e9)
    per_flow = [int(queue["size"][late & (queue["flow"] == flow)].sum()) for flow in (0, 1)]
    assert per_flow[0] == pytest.approx(per_flow[1], rel=0.1)


def test_a_marking_queue_marks_instead_of_dropping(run_once: Runner) -> None:
    options = OPTIONS["codel"] | {"ecn": True}
    queue = {"discipline": "codel", "limit_packets": 300, "options": options}
    result = run_once(experiment({"gateway.downlink.queue": queue}, bulk(), bulk()))
    assert not broken(result)
    assert not (rows(result.data.queue)["fate"] == DROPPED).any()
    # The senders obey the marks: the queue would be at its limit without them.
    late = rows(result.data.queue)["arrival_ns"] > 5e9
    assert rows(result.data.queue)["backlog"][late].max() < 150


def test_every_drop_is_sent_again(run_once: Runner) -> None:
    result = run_once(experiment({"duration_s": 60.0}, bulk(), client()))
    queue = rows(result.data.queue)
    dropped = queue["departure_ns"][(queue["fate"] == DROPPED) & (queue["payload"] > 0)]
    again = len(rows(result.data.retransmits)["seq"])
    assert len(dropped) > 200
    # What was dropped just before the end is sent again after it.
    assert (dropped < 58e9).sum() <= again <= len(dropped)


def test_only_the_experiments_packets_meet_the_queue(run_once: Runner) -> None:
    assert (rows(saturated(run_once, "drop-tail").data.queue)["flow"] >= 0).all()
