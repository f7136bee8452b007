"""Events: what each kind becomes, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from weir_testing.spec import document, problems_of, resolved

TWO = {
    "paths": {
        "wifi": {"downlink": {"rate": "4Mbit/s"}, "rtt": {"mean": "20ms", "stddev": "5ms"}},
        "lte": {"downlink": {"rate": {"steps": [{"at": "0s", "rate": "2Mbit/s"}]}},
                "rtt": {"mean": "60ms", "on": "split"}},
    }
}  # fmt: skip


def several(*events: dict[str, Any]) -> dict[str, Any]:
    return {"gateway": TWO, "events": [{"at": "10s", "for": "5s", **event} for event in events]}


def test_an_outage_loses_everything_both_ways() -> None:
    found = resolved(**several({"path": "lte", "down": "silent"}))["events"]
    common = {"at_s": 10.0, "for_s": 5.0, "loss": 1.0, "path": "lte"}
    assert found == [{**common, "on": "downlink"}, {**common, "on": "uplink"}]


def test_a_lost_carrier_has_no_direction() -> None:
    found = resolved(**several({"path": "lte", "down": "carrier"}))["events"]
    assert found == [{"at_s": 10.0, "for_s": 5.0, "down": "carrier", "path": "lte"}]


def test_only_the_virtual_clock_has_carriers() -> None:
    asked = document(clock="real", events=[{"at": "10s", "for": "5s", "down": "carrier"}])
    (problem,) = problems_of(asked)
    assert (problem.path, problem.remedy.split(";")[0]) == (
        "experiment.events.0.down", "its hosts are linked without a carrier"
    )  # fmt: skip


def test_another_rtt_is_where_the_delay_is() -> None:
    wifi = resolved(**several({"path": "wifi", "rtt": "200ms"}))["events"]
    assert [(event["on"], event["rtt_s"]) for event in wifi] == [("uplink", 0.2)]
    lte = resolved(**several({"path": "lte", "rtt": "200ms"}))["events"]
    assert [event["on"] for event in lte] == ["downlink", "uplink"]


def test_another_rate_is_steps_of_the_link() -> None:
    asked = resolved(**several({"path": "wifi", "rate": "1Mbit/s"}))
    assert asked["events"] == []
    downlink = asked["gateway"]["downlink"]
    assert downlink["rate_steps"] == [[0.0, 4e6], [10.0, 1e6], [15.0, 4e6]]
    assert downlink["queue"] == resolved(**several())["gateway"]["downlink"]["queue"]


def test_rates_that_follow_one_another_leave_no_step_between() -> None:
    second = {"at": "15s", "path": "wifi", "rate": "2Mbit/s"}
    asked = resolved(**several({"path": "wifi", "rate": "1Mbit/s"}, second))
    steps = asked["gateway"]["downlink"]["rate_steps"]
    assert steps == [[0.0, 4e6], [10.0, 1e6], [15.0, 2e6], [20.0, 4e6]]


REFUSED: list[tuple[dict[str, Any], str, str]] = [
    ({"path": "wifi"}, "events.0", "one event for each"),
    ({"path": "wifi", "loss": "1%", "rate": "1Mbit/s"}, "events.0", "one event for each"),
    ({"path": "wifi", "down": "silent", "on": "uplink"}, "events.0.on", "both directions"),
    ({"path": "lte", "rate": "1Mbit/s"}, "events.0.rate", "steps"),
    ({"path": "wifi", "rate": "1Mbit/s", "on": "uplink"}, "events.0.rate", "steps"),
    ({"path": "wifi", "rtt": "1ms"}, "events.0.rtt", "negative"),
    ({"path": "wifi", "down": "carrier", "on": "uplink"}, "events.0.on", "both directions"),
    ({"path": "wify", "loss": "1%"}, "events.0.path", "did you mean wifi?"),
]


@pytest.mark.parametrize(("event", "path", "remedy"), REFUSED)
def test_what_cannot_be_is_refused(event: dict[str, Any], path: str, remedy: str) -> None:
    problems = {problem.path: problem for problem in problems_of(document(**several(event)))}
    assert f"experiment.{path}" in problems, problems
    assert remedy in problems[f"experiment.{path}"].remedy


def test_events_overlap_on_one_path_only() -> None:
    down = {"path": "wifi", "down": "silent"}
    (problem,) = problems_of(document(**several(down, {"path": "wifi", "loss": "1%"})))
    assert problem.path == "experiment.events.1"
    assert len(resolved(**several(down, {"path": "lte", "loss": "1%"}))["events"]) == 3
