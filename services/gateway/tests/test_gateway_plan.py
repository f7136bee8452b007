"""tc's words for path, queues, links and timed changes."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter
from weir.spec.queues import Queue
from weir_gateway import path, plan, queues, schedule, shaper
from weir_testing.cells import client, experiment

RTT = "gateway.path.rtt"


def words(changes: dict[str, Any], direction: Any = "uplink", loss: float | None = None) -> Any:
    return path.netem(experiment(changes, client()), direction, loss)


def test_delay_stands_in_the_asked_direction() -> None:
    assert words({}) == "netem limit 100000 delay 100000us rate 1gbit"
    assert words({}, "downlink") is None
    assert words({f"{RTT}.on": "downlink"}) is None
    assert "delay 50000us" in words({f"{RTT}.on": "split"})
    assert "delay 50000us" in words({f"{RTT}.on": "split"}, "downlink")


def test_halves_of_a_jitter_add_up_in_variance() -> None:
    assert "delay 50000us 4950us distribution normal" in words(
        {f"{RTT}.on": "split", f"{RTT}.stddev_s": 0.007}
    )


@pytest.mark.parametrize(
    ("distribution", "says"),
    [
        ("normal", "delay 100000us 7000us distribution normal rate"),
        ("uniform", "delay 100000us 12124us rate"),  # 7 ms * sqrt 3
        ("pareto", "delay 100286us 8540us distribution pareto rate"),  # 7 ms / 0.8197
        ("paretonormal", "delay 100212us 8394us distribution paretonormal rate"),
    ],
)
def test_distributions(distribution: str, says: str) -> None:
    assert says in words({f"{RTT}.stddev_s": 0.007, f"{RTT}.distribution": distribution})


def test_without_a_rate_packets_may_overtake() -> None:
    assert "rate" not in words({f"{RTT}.stddev_s": 0.007, f"{RTT}.keep_order": False})


def test_loss_and_its_override() -> None:
    lossy = {"gateway.path.loss.downlink": 0.015}
    assert words(lossy, "downlink") == "netem limit 100000 loss 1.5%"
    assert "loss" not in words(lossy, "uplink")
    assert words(lossy, "downlink", 0.5).endswith("loss 50%")


@pytest.mark.parametrize(
    ("discipline", "options", "says"),
    [
        ("drop-tail", {}, "pfifo limit 67"),
        ("sfq", {}, "sfq limit 67"),
        ("codel", {"target_s": 0.005, "interval_s": 0.1, "ecn": False},
         "codel limit 67 target 5000us interval 100000us noecn"),
        ("fq-codel", {"target_s": 0.005, "interval_s": 0.1, "flows": 64, "ecn": True},
         "fq_codel limit 67 flows 64 target 5000us interval 100000us ecn"),
        ("codel", {"target_s": 0.005, "interval_s": 0.1, "ecn": False, "ce_threshold_s": 0.001},
         "codel limit 67 target 5000us interval 100000us noecn ce_threshold 1000us"),
        ("fq-codel", {"target_s": 0.005, "interval_s": 0.1, "flows": 64, "ecn": True,
                      "ce_threshold_s": 0.001, "ce_threshold_for": "l4s_ect"},
         "fq_codel limit 67 flows 64 target 5000us interval 100000us ecn ce_threshold 1000us "
         "ce_threshold_selector 0x1/0x3"),
        ("pie", {"target_s": 0.015, "tupdate_s": 0.02, "ecn": False}, "pie limit 67 target 15000us "
         "tupdate 20000us noecn"),
        ("cake", {}, "cake unlimited besteffort memlimit 100500"),
    ],
)  # fmt: skip
def test_queue_disciplines(discipline: Any, options: Any, says: str) -> None:
    queue: Any = {"discipline": discipline, "limit_packets": 67, "options": options}
    assert queues.arguments(queue) == says


QUEUE_MODEL: TypeAdapter[Any] = TypeAdapter(Queue)
DISCIPLINES = list(QUEUE_MODEL.json_schema()["discriminator"]["mapping"])


@pytest.mark.parametrize("discipline", DISCIPLINES)
def test_every_model_resolves_to_what_its_words_for_tc_need(discipline: str) -> None:
    queue = QUEUE_MODEL.validate_python({"discipline": discipline, "limit": "67packets"})
    said = queues.arguments(queue.resolve(mean_bps=8e6, rtt_s=0.1))
    assert " 67" in said or " 100500" in said


def test_dualpi2s_memory_has_a_limit_of_its_own() -> None:
    asked = {"discipline": "dualpi2", "limit": "67packets", "memory_limit": "100kB"}
    said = queues.arguments(QUEUE_MODEL.validate_python(asked).resolve(mean_bps=8e6, rtt_s=0.1))
    assert said.startswith("dualpi2 limit 67 memlimit 100000 target 15000us ")


@pytest.mark.parametrize(("discipline", "ends"), [("red", "0.02"), ("ared", "0.02 adaptive")])
def test_red(discipline: Any, ends: str) -> None:
    options: Any = {
        "min_bytes": 16750,
        "max_bytes": 50250,
        "avpkt_bytes": 1000,
        "burst_packets": 28,
        "probability": 0.02,
        "rate_bps": 8e6,
        "ecn": False,
    }
    said = queues.arguments({"discipline": discipline, "limit_packets": 67, "options": options})
    assert said == (
        "red limit 100500 min 16750 max 50250 avpkt 1000 burst 28 bandwidth 8000000bit "
        f"probability {ends}"
    )


def test_what_tc_has_no_words_for_goes_by_rtnetlink() -> None:
    asked = {"discipline": "red", "limit": "25packets", "min": "5kB", "max": "15kB",
             "weight": 0.002, "gentle": True, "idle": "aged"}  # fmt: skip
    queue = QUEUE_MODEL.validate_python(asked)
    line = queues.arguments(queue.resolve(mean_bps=8e6, rtt_s=0.1))
    assert line == (
        "red limit 37500 min 5000 max 15000 weight_exponent 9 probability 0.02 gentle "
        "idle_packet_ns 1000000"
    )
    assert queues.by_program([line]) == [("rtnetlink", [line])]
    plain = queues.arguments(QUEUE_MODEL.validate_python(asked | {
        "weight": None, "gentle": False, "idle": "as-linux"}).resolve(8e6, 0.1))  # fmt: skip
    assert queues.by_program([plain]) == [("tc", [plain])]


QUEUE: Any = {"discipline": "sfq", "limit_packets": 67, "options": {}}


def test_a_link_is_a_class_with_the_queue_below_it() -> None:
    lines = shaper.link("neck0", 8e6, QUEUE, False)
    assert lines[0] == "qdisc add dev neck0 root handle 1: htb default 1"
    assert "classid 1:1 htb rate 8000000bit burst 3028 cburst 3028" in lines[1]
    assert lines[2] == "qdisc add dev neck0 parent 1:1 handle 2: sfq limit 67"


def test_fast_links_burst_a_millisecond_and_slow_ones_do_not_stop() -> None:
    assert "burst 12500 " in shaper.link("neck0", 100e6, QUEUE, False)[1]
    # On the real clock two: a timer that fires 2 ms late costs no rate.
    assert "burst 25000 " in shaper.link("neck0", 100e6, QUEUE, False, "real")[1]
    assert "burst 25000 " in shaper.change_rate("neck0", 100e6, False, "real")[0]
    assert "burst 3028 " in shaper.link("neck0", 8e6, QUEUE, False, "real")[1]
    assert "rate 64000bit" in shaper.change_rate("neck0", 0.0, False)[0]


def test_a_session_gets_class_queue_and_filter_of_its_own() -> None:
    lines = shaper.open_session("neck0", 3, "10.0.2.11", 40000, 4681600.0, QUEUE)
    assert [line.split()[0] for line in lines] == ["class", "qdisc", "filter"]
    assert "parent 1:1 classid 1:13 htb rate 4681600bit" in lines[0]
    assert lines[1] == "qdisc add dev neck0 parent 1:13 handle 13: sfq limit 67"
    assert "match ip dst 10.0.2.11/32 match ip dport 40000 0xffff flowid 1:13" in lines[2]
    taken, left = shaper.close_session("neck0", 3, 4681600.0)
    assert taken == "filter del dev neck0 parent 1: prio 19"
    assert "class change dev neck0 parent 1:1 classid 1:13 htb rate 1000bit ceil 4681600bit" in left


def test_classes_together_have_no_more_than_the_link() -> None:
    assert shaper.share_that_fits([], 8e6) == 1
    assert shaper.share_that_fits([4681600.0, 1795200.0], 8e6) == 1
    fits = shaper.share_that_fits([4681600.0, 1795200.0, 1795200.0], 8e6)
    assert fits == pytest.approx((8e6 - 64e3) / 8272000)
    line = shaper.open_session("neck0", 3, "10.0.2.11", 40000, 4681600.0, QUEUE, fits)[0]
    assert f"htb rate {round(4681600 * fits)}bit ceil 4681600bit" in line
    assert "rate 64000bit ceil 8000000bit" in shaper.link("neck0", 8e6, QUEUE, True)[2]
    assert "rate 64000bit ceil 2000000bit" in shaper.change_rate("neck0", 2e6, True)[1]
    assert "rate 64000bit burst" in shaper.change_rate("neck0", 0.0, True)[1]


def link(steps: list[list[float]], loop_s: float | None = None) -> Any:
    return {"rate_steps": steps, "rate_loop_s": loop_s, "queue": QUEUE}


def test_loops_are_unrolled_and_repeats_left_out() -> None:
    steps = [[0.0, 8e6], [2.0, 2e6], [3.0, 8e6]]
    assert list(schedule.unrolled(link(steps), 10.0)) == [(0.0, 8e6), (2.0, 2e6), (3.0, 8e6)]
    assert list(schedule.unrolled(link(steps, 4.0), 10.0)) == [
        (0.0, 8e6), (2.0, 2e6), (3.0, 8e6), (6.0, 2e6), (7.0, 8e6),
    ]  # fmt: skip
    assert list(schedule.unrolled(link(steps), 2.5)) == [(0.0, 8e6), (2.0, 2e6)]
    assert list(schedule.unrolled(link([]), 10.0)) == []


def timed(changes: dict[str, Any], host: str) -> list[tuple[float, str]]:
    found = schedule.timed_commands(experiment(changes, client()), host)
    return [(entry["at_s"], entry["event"]["event"]) for entry in found]


def test_events_go_to_the_host_whose_link_they_hit_in_order_of_time() -> None:
    changes = {
        "events": [{"at_s": 5.0, "for_s": 1.0, "loss": 0.5, "on": "uplink"},
                   {"at_s": 3.0, "for_s": 99.0, "loss": 0.5, "on": "downlink"}],
        "gateway.downlink.rate_steps": [[0.0, 8e6], [4.0, 2e6]],
    }  # fmt: skip
    assert timed(changes, "gateway") == [(4.0, "rate"), (5.0, "loss-begins"), (6.0, "loss-ends")]
    assert timed(changes, "server") == [(3.0, "loss-begins"), (20.0, "loss-ends")]
    uplink = {"rate_steps": [[0.0, 1e6]], "rate_loop_s": None, "queue": QUEUE}
    assert timed(changes | {"gateway.uplink": uplink}, "gateway") == [(4.0, "rate")]
    assert timed(changes | {"gateway.uplink": uplink}, "client") == [
        (5.0, "loss-begins"), (6.0, "loss-ends"),
    ]  # fmt: skip


def test_counters_are_read_while_an_event_lasts() -> None:
    changes = {"events": [{"at_s": 5.0, "for_s": 1.0, "loss": 1.0, "on": "uplink"}]}
    begins, ends = schedule.timed_commands(experiment(changes, client()), "gateway")
    assert begins["count_after"] == ends["count_before"] == "wan"
    assert "count_before" not in begins
    assert "count_after" not in ends


def test_an_event_ends_with_the_paths_own_loss() -> None:
    changes = {"events": [{"at_s": 5.0, "for_s": 1.0, "loss": 0.5, "on": "uplink"}]}

    def lines(more: dict[str, Any]) -> list[str]:
        made = experiment(changes | more, client())
        entries = schedule.timed_commands(made, "gateway")
        return [line for entry in entries for line in entry["lines"]]

    begins, ends = lines({})
    assert begins.endswith("loss 50%")
    assert ends.endswith("loss 0%")
    assert lines({"gateway.path.loss.uplink": 0.02})[1].endswith("loss 2%")


def test_the_downlinks_netem_sees_single_segments() -> None:
    made = experiment({f"{RTT}.on": "downlink"}, client())
    assert plan.server_commands(made)[0] == ("ip", ["link set eth0 gso_max_segs 1"])
    assert plan.server_commands(experiment({}, client())) == []


def test_a_shaped_uplink_moves_the_delay_to_the_clients() -> None:
    uplink = {"rate_steps": [[0.0, 1e6]], "rate_loop_s": None, "queue": QUEUE}
    made: Any = experiment({"gateway.uplink": uplink}, client())
    (tc,) = [lines for program, lines in plan.commands(made) if program == "tc"]
    assert not any("netem" in line for line in tc)
    assert any("dev wan" in line and "1000000bit" in line for line in tc)
    assert "netem" in plan.client_commands(made)[0][1][0]
    assert plan.client_commands(experiment({}, client())) == []


@pytest.mark.parametrize(("method", "managed"), [("none", 0), ("htbm", 1), ("rwtm", 1)])
def test_the_bandwidth_manager_runs_when_something_is_shaped(method: str, managed: int) -> None:
    made: Any = experiment({"gateway.shaping.method": method}, client())
    found = [
        role for role in plan.roles(made, 5.0, "/mnt") if role["module"] == "weir_gateway.manager"
    ]
    assert len(found) == managed
    if found:
        assert found[0]["args"]["rates"] == [(0.0, 8e6)]
