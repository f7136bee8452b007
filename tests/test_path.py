"""The path: delay, jitter, order, loss."""

from __future__ import annotations

import numpy as np
import pytest
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

MEAN = "gateway.path.rtt.mean_s"
STDDEV = "gateway.path.rtt.stddev_s"
ORDER = "gateway.path.rtt.keep_order"
ON = "gateway.path.rtt.on"
DISTRIBUTION = "gateway.path.rtt.distribution"


@pytest.mark.parametrize("on", ["uplink", "downlink", "split"])
@pytest.mark.parametrize("mean_s", [0.01, 0.1])
def test_an_idle_path_has_its_rtt(run: Runner, mean_s: float, on: str) -> None:
    idle = experiment(
        {MEAN: mean_s, ON: on, "duration_s": 1.0}, client("fixed", options={"level": 0})
    )
    rtts_s = run.idle_rtts_s(idle, 20)
    assert len(rtts_s) == 20
    assert np.abs(rtts_s - mean_s).max() < 1e-4


def test_the_run_itself_checks_its_rtt(run_once: Runner) -> None:
    check = checks_of(run_once(experiment({})))["idle_rtt_s"]
    assert check["ok"]
    assert check["tolerance"] == 1e-4
    assert check["measured"] == pytest.approx(0.1, abs=1e-4)


@pytest.mark.parametrize("on", ["uplink", "split"])
@pytest.mark.parametrize("distribution", ["normal", "uniform", "pareto", "paretonormal"])
def test_jitter_has_the_asked_mean_and_deviation(run: Runner, distribution: str, on: str) -> None:
    jittery = experiment(
        {STDDEV: 0.007, DISTRIBUTION: distribution, ON: on, "duration_s": 1.0},
        client("fixed", options={"level": 0}),
    )
    rtts_s = run.idle_rtts_s(jittery, 1000)
    # The mean of 1000 strays by 0.22 ms; the deviation of a long-tailed sample by some 5 %.
    assert rtts_s.mean() == pytest.approx(0.1, abs=4 * 0.007 / np.sqrt(1000))
    assert rtts_s.std(ddof=1) == pytest.approx(0.007, rel=0.1)


def test_seeds_give_other_jitter(run: Runner) -> None:
    jittery = experiment({STDDEV: 0.007, "duration_s": 1.0}, client("fixed", options={"level": 0}))
    assert (run.idle_rtts_s(jittery, 20, seed=1) != run.idle_rtts_s(jittery, 20, seed=2)).any()


@pytest.mark.parametrize(("keep_order", "overtaken"), [(True, False), (False, True)])
def test_order_is_kept_only_when_asked(run_once: Runner, keep_order: bool, overtaken: bool) -> None:
    # The jitter stands between server and queue, so arrivals there show what it did.
    result = run_once(
        experiment({STDDEV: 0.007, ORDER: keep_order, ON: "downlink"}, bulk(), client())
    )
    assert not broken(result)
    queue = rows(result.data.queue)
    late = 0
    for flow in range(len(result.data.flows)):
        of_flow = rows(queue, (queue["flow"] == flow) & (queue["payload"] > 0))
        ahead = np.maximum.accumulate(of_flow["seq"].astype(np.int64))
        late += int((of_flow["seq"] < ahead).sum())
    retransmitted = len(rows(result.data.retransmits)["seq"])
    assert (late > retransmitted + 1000) == overtaken
    if not overtaken:
        assert late <= retransmitted


@pytest.mark.parametrize("on", ["downlink", "uplink"])
def test_random_loss_loses_its_share(run: Runner, on: str) -> None:
    lossy = experiment({f"gateway.path.loss.{on}": 0.02, MEAN: 0.02})
    clean = run(experiment({MEAN: 0.02}))
    result = run(lossy)
    assert not broken(result)
    sent = rows(result.data.queue)
    retransmits = len(rows(result.data.retransmits)["seq"])
    assert len(rows(clean.data.queue)["fate"]) > 10_000
    if on == "downlink":
        data = int((sent["payload"] > 0).sum())
        drops = int((sent["fate"] == DROPPED).sum())
        # What is retransmitted was lost on the path, or dropped by the queue.
        assert retransmits - drops == pytest.approx(0.02 * data / 0.98, rel=0.25)
    else:
        # ACKs are cumulative: hardly a segment is sent again.
        assert retransmits < 0.001 * len(sent["fate"]) + 50


@pytest.mark.parametrize("on", ["downlink", "uplink"])
def test_half_is_lost_for_one_second_at_30_s(run_once: Runner, on: str) -> None:
    # A link that never queues: whatever is lost is lost by the event.
    event = {"at_s": 30.0, "for_s": 1.0, "loss": 0.5, "on": on}
    changes = {
        "duration_s": 40.0,
        "events": [event],
        "gateway.downlink.queue.limit_packets": 2000,
        "server.congestion_control": "fixed_window",
    }
    result = run_once(experiment(changes))
    assert not broken(result)
    check = next(c for c in result.data.checks if c["name"].startswith("loss_"))
    assert check["asked"] == 0.5
    assert check["measured"] == pytest.approx(0.5, abs=check["tolerance"])
    begin, end = (e for e in result.data.events if e["event"].startswith("loss-"))
    assert (begin["event"], end["event"]) == ("loss-begins", "loss-ends")
    assert begin["t_s"] == pytest.approx(30.0, abs=0.001)
    assert end["t_s"] == pytest.approx(31.0, abs=0.001)
    assert begin["counted"]["drops"] == 0
    lost = end["counted"]["drops"] - begin["counted"]["drops"]
    assert lost > 20
    retransmits = rows(result.data.retransmits)["t_ns"] / 1e9
    assert not (retransmits < 30.0).any()
    # What was lost in the second is sent again in it, or after one timeout at most.
    assert not (retransmits > 33.0).any()
    if on == "downlink":
        assert len(retransmits) >= lost
    assert (rows(result.data.queue)["fate"] == SENT).all()


def test_loss_on_a_shaped_uplink_strikes_every_client(run: Runner) -> None:
    uplink = {"discipline": "drop-tail", "limit_packets": 500, "options": {}}
    changes = {
        "duration_s": 10.0,
        "events": [{"at_s": 5.0, "for_s": 2.0, "loss": 0.5, "on": "uplink"}],
        "gateway.uplink": {"rate_steps": [[0.0, 2e6]], "rate_loop_s": None, "queue": uplink},
    }
    result = run(experiment(changes, client(), client()))
    assert not broken(result)
    assert {"loss_uplink_at_5.000s_client1", "loss_uplink_at_5.000s_client2"} <= checks_of(
        result
    ).keys()
    ends = [event for event in result.data.events if event["event"] == "loss-ends"]
    assert [event["host"] for event in ends] == ["client1", "client2"]
    assert all(event["counted"]["drops"] > 10 for event in ends)


def test_what_waits_on_the_path_when_an_event_begins_is_not_its_own(run: Runner) -> None:
    """All that comes in is lost; what came in before, up to a round trip's worth, goes out."""
    event = {"at_s": 5.0, "for_s": 1.0, "loss": 1.0, "on": "uplink"}
    result = run(experiment({"duration_s": 10.0, "events": [event]}))
    assert not broken(result)
    check = checks_of(result)["loss_uplink_at_5.000s"]
    assert (check["asked"], check["measured"]) == (1.0, 1.0)


def test_an_event_may_last_to_the_end(run: Runner) -> None:
    event = {"at_s": 5.0, "for_s": 20.0, "loss": 0.1, "on": "uplink"}
    result = run(experiment({"duration_s": 10.0, "events": [event]}))
    assert not broken(result)
    assert "loss_uplink_at_5.000s" in checks_of(result)


def test_no_client_waits_for_address_resolution(run: Runner) -> None:
    """Connect and ask: two round trips, for the first client and for the ones after it."""
    uplink = {"discipline": "drop-tail", "limit_packets": 50, "options": {}}
    changes = {
        "gateway.uplink.rate_steps": [[0.0, 1e6]],
        "gateway.uplink.queue": uplink,
        "duration_s": 5.0,
    }
    result = run(experiment(changes, *[client("fixed", options={"level": 0})] * 3))
    for player in result.data.players:
        assert player["first_byte_s"][0] == pytest.approx(0.2, abs=0.03)
