"""Metrics of single paths, and of what shares them with the players."""

from __future__ import annotations

from typing import Any

import pytest
from weir.metrics import CATALOG, PARTS, compute
from weir.rundir import QUEUE, QUEUE_10MS, QUEUE_SECONDS, TCP, RunData, columns_of_rows
from weir.rundir.schemas import PATH
from weir_testing.metrics import experiment, flow, packet, player

BYTES = 1250
WIFI, LTE = 0, 1


def two_paths() -> Any:
    """Ten seconds; the client has both, a bulk flow wifi, and another one sends upwards on lte."""
    asked = experiment([(0, None)], duration=10.0)
    gateway = asked["gateway"]
    far = {**gateway, "path": {"rtt": {"mean_s": 0.05, "on": "uplink"}}}
    gateway["name"], gateway["others"] = "wifi", [{**far, "name": "lte"}]
    asked["clients"][0]["paths"] = ["wifi", "lte"]
    timed = {"kind": "tcp", "start_s": 2.0, "stop_s": 6.0}
    asked["traffic"] = [
        {**timed, "direction": "downlink", "path": "wifi"},
        {**timed, "direction": "uplink", "path": "lte"},
    ]
    return asked


def run() -> RunData:
    """On wifi two packets of the client and, at 3 s, two of the bulk flow, one of them dropped; on
    lte one of the client, which waits for 2 ms.
    """
    sent = [(0, WIFI, 1000, 4, 0), (0, WIFI, 3000, 6, 0), (2, WIFI, 3001, 8, 0),
            (2, WIFI, 3002, 0, 1), (1, LTE, 4000, 2, 0)]  # fmt: skip
    rows = [
        {**packet(at, at + wait, fate), "flow": number, "path": path, "size": BYTES, "backlog": k}
        for k, (number, path, at, wait, fate) in enumerate(sent)
    ]
    bins = [
        {"t_ns": 10**9, "sent_bytes": 1250, "sent_packets": 1, "dropped": 0, "backlog_max": 1,
         "path": WIFI},
        {"t_ns": 3 * 10**9, "sent_bytes": 2500, "sent_packets": 2, "dropped": 1, "backlog_max": 3,
         "path": WIFI},
        {"t_ns": 4 * 10**9, "sent_bytes": 1250, "sent_packets": 1, "dropped": 0, "backlog_max": 4,
         "path": LTE},
    ]  # fmt: skip
    ack = {"cwnd": 10, "ssthresh": 10, "rto_us": 0, "rwnd": 0, "in_flight": 0}
    acks = [{**ack, "t_ns": number, "flow": number, "srtt_us": 10**5} for number in (WIFI, LTE)]
    flows = [
        {**flow(0, 1, 40000), "path": "wifi"},
        {**flow(1, 1, 40001), "path": "lte"},
        {**flow(2, 0, 5001), "path": "wifi", "traffic": 1},
        {**flow(3, 0, 5002), "path": "lte", "traffic": 2},
    ]
    return RunData(
        two_paths(),
        [player([0] * 5)],
        tcp=columns_of_rows(TCP, acks),
        queue=columns_of_rows(QUEUE.append(PATH), rows),
        queue_10ms=columns_of_rows(QUEUE_10MS.append(PATH), bins),
        flows=flows,  # type: ignore[arg-type]
    )


def test_each_path_has_its_own() -> None:
    wifi, lte = compute(run())["paths"]
    assert (wifi["path"], lte["path"]) == ("wifi", "lte")
    assert wifi["throughput_bps"] == pytest.approx(3 * BYTES * 8 / 10)
    assert lte["throughput_bps"] == pytest.approx(BYTES * 8 / 10)
    assert (wifi["dropped_packets"], lte["dropped_packets"]) == (1, 0)
    assert wifi["loss_rate_percent"] == pytest.approx(25)
    assert wifi["queueing_delay_mean_s"] == pytest.approx(0.006)
    assert lte["queueing_delay_mean_s"] == pytest.approx(0.002)
    assert wifi["backlog_mean_packets"] == pytest.approx(1.5)
    assert (wifi["backlog_max_packets"], lte["backlog_max_packets"]) == (3, 4)
    assert wifi["link_utilisation_percent"] == pytest.approx(100 * 3 * BYTES * 8 / 8e7)
    assert (wifi["rtt_inflation_percent"], lte["rtt_inflation_percent"]) == (100, 200)


def test_other_traffic_and_what_it_leaves() -> None:
    metrics = compute(run())
    down, up = metrics["traffic"]
    assert (down["traffic"], down["path"]) == (1, "wifi")
    assert down["throughput_bps"] == pytest.approx(BYTES * 8 / 4)
    assert down["share_percent"] == pytest.approx(50)  # of what left wifi from 2 to 6 s
    assert down["loss_rate_percent"] == pytest.approx(50)
    assert up == {"traffic": 2, "path": "lte"} | dict.fromkeys(
        info.name for info in PARTS if info.scope == "traffic"
    )
    assert metrics["run"]["traffic_throughput_bps"] == pytest.approx(BYTES * 8 / 10)
    assert metrics["run"]["traffic_share_percent"] == pytest.approx(25)
    client, bulk = 3 * BYTES * 8 / 10, BYTES * 8 / 4
    jain = (client + bulk) ** 2 / 2 / (client**2 + bulk**2)
    assert metrics["run"]["jain_with_traffic"] == pytest.approx(jain, rel=1e-8)


def test_sums_by_the_second_say_the_same_of_it() -> None:
    light = run()
    by_second = [
        {"t_ns": second * 10**9, "flow": number, "path": path, "sent_bytes": packets * BYTES,
         "sent_packets": packets, "dropped": dropped, "delay_sum_ns": 0, "backlog_sum": 0}
        for second, number, path, packets, dropped in (
            (1, 0, WIFI, 1, 0), (3, 0, WIFI, 1, 0), (3, 2, WIFI, 1, 1), (4, 1, LTE, 1, 0),
        )
    ]  # fmt: skip
    light.queue = None
    light.queue_seconds = columns_of_rows(QUEUE_SECONDS.append(PATH), by_second)
    of_packets, of_sums = compute(run()), compute(light)
    for each in (*of_sums["traffic"], *of_packets["traffic"]):
        del each["queueing_delay_mean_s"]  # needs single packets
    assert of_sums["traffic"] == of_packets["traffic"]
    for name in ("traffic_throughput_bps", "traffic_share_percent", "jain_with_traffic"):
        assert of_sums["run"][name] == of_packets["run"][name] is not None


def test_once_settled_is_the_last_third_of_who_stays() -> None:
    data = run()
    for one in data.experiment["traffic"]:
        one["start_s"], one["stop_s"] = 0.0, 10.0
    data.queue = columns_of_rows(
        QUEUE.append(PATH),
        [
            {**packet(at, at, 0), "flow": number, "path": WIFI, "size": BYTES, "backlog": 0}
            for number, at in ((0, 1000), (2, 2000), (0, 7000), (2, 8000), (2, 9000), (2, 9500))
        ],
    )
    of_run = compute(data)["run"]
    assert of_run["traffic_share_percent"] == pytest.approx(100 * 4 / 6)
    assert of_run["settled_traffic_share_percent"] == pytest.approx(75)
    assert of_run["settled_jain_with_traffic"] == pytest.approx(16 / 2 / 10)
    data.experiment["traffic"][0]["stop_s"] = 9.0
    of_run = compute(data)["run"]
    assert of_run["settled_traffic_share_percent"] == 0
    assert of_run["settled_jain_with_traffic"] is None


def test_nobody_is_told_unfair_of_whom_nothing_is_known() -> None:
    """Which connections are a client's, the record of TCP alone tells."""
    data = run()
    data.tcp, data.flows = None, [one for one in data.flows if "traffic" in one]
    of_run = compute(data)["run"]
    assert of_run["jain_with_traffic"] is None
    assert of_run["settled_jain_with_traffic"] is None
    assert of_run["traffic_share_percent"] == pytest.approx(25)


def test_responses_are_timed_by_who_asked() -> None:
    data = run()
    data.experiment["traffic"][1]["kind"] = "request-response"
    data.events = [
        {"t_s": last, "event": "response", "traffic": of, "requested_s": asked, "size_bytes": 9}
        for of, asked, last in ((2, 2.0, 2.1), (2, 3.0, 3.3), (1, 2.0, 5.0))
    ]
    of_tcp, of_responses = compute(data)["traffic"]
    assert of_tcp["response_count"] is None
    assert of_responses["response_count"] == 2
    assert of_responses["response_time_mean_s"] == pytest.approx(0.2)
    assert of_responses["response_time_p95_s"] == pytest.approx(0.29)


def test_a_run_on_one_path_alone_says_nothing_of_either() -> None:
    metrics = compute(RunData(experiment([(0, None)]), [player([0])]))
    assert not {"paths", "traffic"} & metrics.keys()
    assert metrics["run"]["jain_with_traffic"] is None
    assert {info.scope for info in CATALOG.values()} == {"run", "client"}


def test_without_its_records_a_path_has_none_of_them() -> None:
    data = run()
    data.tcp = data.queue = data.queue_10ms = None
    metrics = compute(data)
    for each in (*metrics["paths"], *metrics["traffic"]):
        assert {value for name, value in each.items() if name not in ("path", "traffic")} == {None}
