"""L4S: prague, the queues that mark for it, and what hosts agree on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from weir.rundir import Columns
from weir_lab.collect import CellResult
from weir_testing.cells import (
    DROPPED,
    LADDER_BPS,
    SENT,
    Runner,
    broken,
    bulk,
    checks_of,
    experiment,
    rows,
    sent_bps,
)

pytestmark = pytest.mark.kernel

RATE_BPS = 24e6  # a packet takes half of the step threshold: below that every packet is marked
STEP_S, TARGET_S = 0.001, 0.015
END_S = 14.0
DUALPI2: dict[str, Any] = {
    "target_s": TARGET_S,
    "tupdate_s": 0.016,
    "alpha": 0.16,
    "beta": 3.2,
    "step_thresh_s": STEP_S,
    "min_qlen_step": 0,
    "coupling_factor": 2,
    "drop_overload": True,
    "drop_early": False,
    "classic_protection": 0.1,
    "ecn": False,
    "ecn_mask": "l4s_ect",
    "split_gso": True,
}
CODEL = {"target_s": 0.005, "interval_s": 0.1, "ecn": False}
ECT1 = 1


def carried(
    run_once: Runner,
    control: str,
    *beside: str,
    discipline: str = "dualpi2",
    options: dict[str, Any] | None = None,
    rtt_s: float = 0.02,
    **hosts: Any,
) -> CellResult:
    """A viewer that takes what it gets, and downloads beside it."""
    queue = {"discipline": discipline, "limit_packets": 200,
             "options": DUALPI2 if options is None else options}  # fmt: skip
    changes: dict[str, Any] = {
        "duration_s": END_S,
        "server.congestion_control": control,
        "gateway.path.rtt.mean_s": rtt_s,
        "gateway.downlink.rate_steps": [[0.0, RATE_BPS]],
        "gateway.downlink.queue": queue,
        "content.bitrates_bps": [3 * bps for bps in LADDER_BPS],
    }
    asked: Any = experiment(changes, bulk())
    asked["traffic"] = [
        {"kind": "tcp", "direction": "downlink", "start_s": 0.0, "stop_s": END_S,
         "congestion_control": each}
        for each in beside
    ]  # fmt: skip
    for host, mode in hosts.items():
        (asked["server"] if host == "server" else asked["clients"][0])["ecn"] = mode
    return run_once(asked)


def settled(result: CellResult, control: str) -> Columns:
    """Data packets that a sender of this control sent after 4 s."""
    queue = rows(result.data.queue)
    (flow,) = [each["flow"] for each in result.data.flows if each["congestion_control"] == control]
    return rows(
        queue, (queue["flow"] == flow) & (queue["payload"] > 0) & (queue["arrival_ns"] > 4e9)
    )


def delays_s(packets: Columns) -> Any:
    sent = packets["fate"] == SENT
    return (packets["departure_ns"][sent] - packets["arrival_ns"][sent]) / 1e9


def marked(packets: Columns) -> float:
    return float(packets["marked"][packets["fate"] == SENT].mean())


def test_prague_alone_fills_the_link_and_no_queue(run_once: Runner) -> None:
    result = carried(run_once, "prague")
    assert not broken(result)
    packets = settled(result, "prague")
    assert (packets["ecn"] == ECT1).all()
    assert not (packets["fate"] == DROPPED).any()
    assert sent_bps(packets, 4.0, END_S) > 0.9 * RATE_BPS
    assert np.mean(delays_s(packets)) < STEP_S


def test_beside_cubic_each_has_its_own_queue_and_about_half(run_once: Runner) -> None:
    result = carried(run_once, "prague", "cubic")
    assert not broken(result)
    scalable, classic = settled(result, "prague"), settled(result, "cubic")
    assert np.percentile(delays_s(scalable), 99) < 2 * STEP_S
    assert np.mean(delays_s(classic)) == pytest.approx(TARGET_S, rel=0.4)
    assert not (scalable["fate"] == DROPPED).any() and marked(scalable) > 0.01
    assert (classic["fate"] == DROPPED).any() and marked(classic) == 0
    # Each packet of a scalable sender is marked with the coupled probability, 2 p, where a classic
    # one's is dropped with p squared (RFC 9332, section 2.1); the step adds marks of its own.
    dropped = float((classic["fate"] == DROPPED).mean())
    assert marked(scalable) > 1.5 * dropped**0.5
    rates = [sent_bps(each, 4.0, END_S) for each in (scalable, classic)]
    assert 1 / 3 < rates[0] / rates[1] < 3
    assert sum(rates) > 0.9 * RATE_BPS


def test_fq_codel_marks_l4s_packets_alone_above_its_threshold(run_once: Runner) -> None:
    options = CODEL | {"flows": 1024, "ce_threshold_s": STEP_S, "ce_threshold_for": "l4s_ect"}
    result = carried(run_once, "prague", "cubic", discipline="fq-codel", options=options)
    assert not broken(result)
    scalable, classic = settled(result, "prague"), settled(result, "cubic")
    assert marked(scalable) > 0.05 and marked(classic) == 0
    assert np.mean(delays_s(scalable)) < STEP_S < np.mean(delays_s(classic))
    rates = [sent_bps(each, 4.0, END_S) for each in (scalable, classic)]
    assert rates[0] == pytest.approx(rates[1], rel=0.15)


def test_where_nothing_marks_prague_halves_at_losses_as_others_do(run_once: Runner) -> None:
    result = carried(run_once, "prague", discipline="drop-tail", options={})
    assert not broken(result)
    packets = settled(result, "prague")
    assert marked(packets) == 0 and (packets["fate"] == DROPPED).any()
    assert sent_bps(packets, 4.0, END_S) > 0.9 * RATE_BPS
    assert np.mean(delays_s(packets)) > 10 * STEP_S
    cwnd = rows(result.data.tcp)["cwnd"][rows(result.data.tcp)["t_ns"] > 2e9].astype(int)
    assert cwnd.max() > 1.5 * cwnd.min()


def test_prague_grows_as_over_25_ms_after_500_round_trips(run_once: Runner) -> None:
    result = carried(run_once, "prague", rtt_s=0.01)
    assert not broken(result)
    tcp = rows(result.data.tcp)
    grown = np.diff(tcp["cwnd"].astype(int), prepend=tcp["cwnd"][0]).clip(min=0)

    def grown_per_s(start_s: float, end_s: float) -> float:
        during = (tcp["t_ns"] > start_s * 1e9) & (tcp["t_ns"] < end_s * 1e9)
        return float(grown[during].sum()) / (end_s - start_s)

    # By a segment per round trip and, later, by (10 / 25)^2 of one.
    assert grown_per_s(1.0, 4.0) > 2 * grown_per_s(8.0, END_S)


def test_every_option_of_dualpi2_reaches_the_kernel(run_once: Runner) -> None:
    """All at once, and none as it is by itself: what it does not know it refuses."""
    options = {
        "memory_limit_bytes": 400_000,
        "target_s": 0.02,
        "tupdate_s": 0.02,
        "alpha": 0.2,
        "beta": 3.0,
        "step_thresh_s": 0.001,
        "step_packets": 3,
        "min_qlen_step": 2,
        "coupling_factor": 3,
        "drop_overload": False,
        "drop_early": True,
        "classic_protection": 0.2,
        "ecn": False,
        "ecn_mask": "any_ect",
        "split_gso": False,
    }
    result = carried(run_once, "prague", "cubic", options=options)
    assert not broken(result)
    scalable = settled(result, "prague")
    assert marked(scalable) > 0.01
    # Early, that is on arrival: a packet that the queue drops has not waited there.
    classic = settled(result, "cubic")
    dropped = classic["fate"] == DROPPED
    assert dropped.any()
    assert (classic["departure_ns"][dropped] == classic["arrival_ns"][dropped]).all()


@pytest.mark.parametrize(
    ("control", "server", "client", "agreed"),
    [
        ("cubic", "accurate", "accurate", "accurate"),
        ("cubic", "classic-if-asked", "accurate", "classic"),
        ("cubic", "off", "accurate", "none"),
        ("dctcp", "accurate", "accurate", "accurate"),
    ],
)
def test_hosts_agree_as_they_are_set(
    run_once: Runner, control: str, server: str, client: str, agreed: str
) -> None:
    options = CODEL | {"ecn": True}
    result = carried(
        run_once, control, discipline="codel", options=options, server=server, client=client
    )
    assert not broken(result)
    found = checks_of(result)["ecn"]
    assert found["asked"] == {"server": server, "client 1": client}
    assert found["measured"] == {"client 1": [agreed]}
    assert len(found["applied"]) == 2
    assert (marked(settled(result, control)) > 0) is (agreed != "none")


def test_a_download_of_prague_agrees_with_a_server_that_sends_cubic(run_once: Runner) -> None:
    result = carried(run_once, "cubic", "prague")
    assert not broken(result)
    assert checks_of(result)["traffic_1_ecn"]["measured"] == ["accurate"]
    assert checks_of(result)["ecn"]["measured"] == {"client 1": ["none"]}
    assert marked(settled(result, "prague")) > 0.01
