"""Every queue discipline: its record equals tc's counters, and its limit holds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pydantic import TypeAdapter
from weir.spec.queues import Queue
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
    sent_bps,
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
DUALPI2: dict[str, Any] = {
    "target_s": 0.015,
    "tupdate_s": 0.016,
    "alpha": 0.16,
    "beta": 3.2,
    "step_thresh_s": 0.001,
    "min_qlen_step": 0,
    "coupling_factor": 2,
    "drop_overload": True,
    "drop_early": False,
    "classic_protection": 0.1,
    "ecn": False,
    "ecn_mask": "l4s_ect",
    "split_gso": True,
}
SOJOURN = {"target_s": 0.005, "interval_s": 0.1, "ecn": False}
OPTIONS: dict[str, dict[str, Any]] = {
    "drop-tail": {},
    "sfq": {},
    "red": RED,
    "ared": RED,
    "codel": SOJOURN,
    "fq-codel": SOJOURN | {"flows": 1024},
    "pie": {"target_s": 0.015, "tupdate_s": 0.015, "ecn": False},
    "dualpi2": DUALPI2,
    "cake": {},
}
LIMIT = 67
QUEUE_MODEL: TypeAdapter[Any] = TypeAdapter(Queue)


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


def test_dualpi2_holds_classic_at_its_target_and_l4s_below_its_step(run_once: Runner) -> None:
    def carried(congestion_control: str, **options: object) -> tuple[CellResult, float]:
        """Four bulk clients, and the mean time of their packets in the queue."""
        changes = {
            "server.congestion_control": congestion_control,
            "gateway.path.rtt.mean_s": 0.02,
            "gateway.downlink.queue": {
                "discipline": "dualpi2",
                "limit_packets": 300,
                "options": DUALPI2 | options,
            },
        }
        result = run_once(experiment(changes, *(bulk() for _ in range(4))))
        assert not broken(result)
        queue = rows(result.data.queue)
        late = (queue["fate"] == SENT) & (queue["arrival_ns"] > 8e9) & (queue["payload"] > 0)
        delay_ns = (queue["departure_ns"] - queue["arrival_ns"])[late]
        assert sent_bps(queue, 8.0, 20.0) > 0.9 * 8e6
        return result, float(np.mean(delay_ns)) / 1e9

    classic, delay_s = carried("cubic")
    assert delay_s == pytest.approx(DUALPI2["target_s"], rel=0.2)
    drops = checks_of(classic)["queue_drops_packets"]
    assert drops["measured"] == drops["applied"] > 0
    # DCTCP stands in for an L4S sender: it sends ECT(0), which `any_ect` takes for one.
    scalable, delay_s = carried("dctcp", ecn=True, ecn_mask="any_ect", step_thresh_s=0.005)
    assert delay_s < 0.006
    # It is marked, not dropped.
    drops = checks_of(scalable)["queue_drops_packets"]
    assert drops["measured"] == drops["applied"] == 0


def red_after_a_burst(run_once: Runner, **options: object) -> Any:
    """A client's slow start fills a long queue before RED's slow mean has noticed: it then is far
    above max. The bottleneck's packets of 60 s."""
    asked = {"discipline": "red", "limit": "400packets", "min": "10packets", "max": "20packets",
             "weight": 0.002}  # fmt: skip
    queue = QUEUE_MODEL.validate_python(asked | options).resolve(8e6, 0.1)
    result = run_once(experiment({"gateway.downlink.queue": queue, "duration_s": 60.0}, bulk()))
    assert not broken(result)
    return rows(result.data.queue)


def test_red_locks_itself_out_below_htb_unless_its_mean_ages(run_once: Runner) -> None:
    """As in Linux nothing is sent once the queue ran empty, as every retransmission is dropped."""
    as_linux = red_after_a_burst(run_once, idle="as-linux")
    assert sent_bps(as_linux, 10.0, 60.0) == 0
    late = as_linux["arrival_ns"] > 10e9
    assert late.any() and (as_linux["fate"][late] == DROPPED).all()
    assert (as_linux["backlog"][late] == 0).all()
    assert sent_bps(red_after_a_burst(run_once, idle="aged"), 10.0, 60.0) > 0.8 * 8e6


def test_gentle_red_lets_some_through_above_max(run_once: Runner) -> None:
    def longest_row_of_drops(**options: object) -> int:
        fate = red_after_a_burst(run_once, idle="aged", **options)["fate"]
        kept = np.flatnonzero(fate != DROPPED)
        return int(np.diff(kept).max()) - 1

    assert longest_row_of_drops(gentle=True) < 0.5 * longest_row_of_drops()


def test_sessions_of_their_own_have_dualpi2_too(run_once: Runner) -> None:
    queue = {"discipline": "dualpi2", "limit_packets": LIMIT, "options": DUALPI2}
    changes = {"gateway.downlink.queue": queue, "gateway.shaping.method": "htbm"}
    result = run_once(experiment(changes, client(), client(start_s=2.0)))
    assert not broken(result)
    applied = [line for event in result.data.events for line in event.get("applied", [])]
    assert sum(" dualpi2 " in line for line in applied) == 2


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
