"""Other traffic: what is resolved, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from weir_testing.spec import document, problems_of, resolved


def test_each_flow_is_resolved_with_what_it_needs() -> None:
    found = resolved(
        traffic=[
            {"kind": "tcp", "congestion_control": "reno", "count": 2, "start": "5s"},
            {"kind": "udp", "rate": "1Mbit/s", "on": "2s", "off": "1s", "stop": "60s"},
        ]
    )["traffic"]
    tcp = {"kind": "tcp", "direction": "downlink", "start_s": 5.0, "stop_s": 180.0}
    assert found[:2] == [{**tcp, "congestion_control": "reno"}] * 2
    assert found[2]["packet_bytes"] == 1500
    assert (found[2]["on_s"], found[2]["off_s"], found[2]["stop_s"]) == (2.0, 1.0, 60.0)


def test_what_an_end_adds_to_the_round_trip_is_told_where_it_is_any() -> None:
    near, far = resolved(traffic=[{"kind": "tcp"}, {"kind": "tcp", "added_rtt": "150ms"}])[
        "traffic"
    ]
    assert far == near | {"added_rtt_s": 0.15}


def test_responses_keep_their_distributions() -> None:
    think = {"distribution": "exponential", "mean": "2s", "at_most": "20s"}
    (found,) = resolved(
        traffic=[{"kind": "request-response", "size": "200kB", "think": think, "stop": "30s"}]
    )["traffic"]
    assert found == {
        "kind": "request-response",
        "direction": "downlink",
        "start_s": 0.0,
        "stop_s": 30.0,
        "congestion_control": "cubic",
        "request_bytes": 300,
        "size_bytes": 200_000,
        "think_s": {"distribution": "exponential", "mean": 2.0, "at_most": 20.0},
    }


def test_without_it_nothing_is_said_of_it() -> None:
    assert "traffic" not in resolved()


ASKED = {"kind": "request-response", "size": "20kB", "think": "1s"}
REFUSED: list[tuple[dict[str, Any], str, str]] = [
    ({"kind": "tcp", "start": "180s"}, "traffic.0.start", "start it earlier"),
    ({"kind": "tcp", "start": "5s", "stop": "5s"}, "traffic.0.stop", "stop it later"),
    ({"kind": "udp", "rate": "1Mbit/s", "on": "1s"}, "traffic.0.off", "write both"),
    ({"kind": "tcp", "path": "wifi"}, "traffic.0.path", "name the paths"),
    ({"kind": "tcp", "direction": "uplink"}, "traffic.0.direction", "set uplink.rate"),
    ({"kind": "tcp", "count": 500}, "traffic", "use fewer"),
    ({"kind": "tcp", "added_rtt": "3s"}, "traffic.0.added_rtt", "lower it"),
    ({"kind": "udp", "rate": "1Mbit/s", "packet": 9000}, "traffic.0.packet", "1500"),
    ({**ASKED, "think": "0s"}, "traffic.0.think", "kind tcp"),
    ({**ASKED, "think": "1ms"}, "traffic.0.think", "let fewer flows run"),
    ({**ASKED, "think": "1s", "count": 150}, "traffic.0.think", "let fewer flows run"),
    ({**ASKED, "size": {"distribution": "log-normal", "median": "20kB", "sigma": 1}},
     "traffic.0.size.at_most", "above what nothing is drawn"),
    ({**ASKED, "request": 4}, "traffic.0.request", "8"),
]  # fmt: skip


@pytest.mark.parametrize(("flow", "path", "remedy"), REFUSED)
def test_what_cannot_be_is_refused(flow: dict[str, Any], path: str, remedy: str) -> None:
    problems = {problem.path: problem for problem in problems_of(document(traffic=[flow]))}
    assert f"experiment.{path}" in problems, problems
    assert remedy in problems[f"experiment.{path}"].remedy
