"""Sessions that cannot be are refused with the place, what stands there, what may, and a remedy."""

from __future__ import annotations

from typing import Any, Final

import pytest
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import HERE, SPEC, body

STREAM: Final[dict[str, Any]] = {
    "kind": "stream",
    "rate": "1Mbit/s",
    "length": "10s",
    "start": "0s",
    "moves": "none",
}
LONG_TAIL: Final = {"distribution": "log-normal", "median": "5s", "sigma": 1.5}
GROUP: Final = "experiment.sessions.groups.0"


def with_sessions(group: dict[str, Any], control: str, ahead: str = "15s") -> dict[str, Any]:
    found = {k: v for k, v in SPEC["experiment"].items() if k not in ("content", "clients")}
    found["server"] = {"congestion_control": control}
    found["sessions"] = {"groups": [{**STREAM, "ahead": ahead, **group}]}
    return {"experiment": found, "factors": {}}


def with_deadlines(control: str) -> dict[str, Any]:
    found = {**SPEC["experiment"], "server": {"congestion_control": control}}
    deadlines = {"after": "15s", "moves": "alpha", "lower": "5s", "upper": "20s"}
    found["clients"] = [{**SPEC["experiment"]["clients"][0], "deadlines": deadlines}]
    return {"experiment": found, "factors": {}}


@pytest.mark.parametrize(
    ("changes", "path", "value", "allowed", "remedy"),
    [
        (
            with_sessions({"length": LONG_TAIL}, "cubic"),
            f"{GROUP}.length.at_most",
            None,
            "a cut, since",
            "say above what nothing is drawn",
        ),
        (
            with_sessions({"start": {"distribution": "exponential", "mean": "3s"}}, "cubic"),
            f"{GROUP}.start.at_most",
            None,
            "a cut, since",
            "say above what nothing is drawn",
        ),
        (
            with_sessions({"moves": "alpha", "lower": "5s", "upper": "20s"}, "cubic"),
            f"{GROUP}.moves",
            "cubic",
            "aimd, the one control that takes deadlines",
            "server.congestion_control: aimd",
        ),
        (
            with_deadlines("cubic"),
            "experiment.clients.0.deadlines",
            "cubic",
            "aimd, the one control that takes deadlines",
            "server.congestion_control: aimd",
        ),
    ],
    ids=["log-normal", "exponential", "sessions beside cubic", "deadlines beside cubic"],
)
def test_they_are_refused_by_place(
    platform: Platform,
    changes: dict[str, Any],
    path: str,
    value: str | None,
    allowed: str,
    remedy: str,
) -> None:
    client = platform.client("submit")
    answer = client.post(f"{HERE}/campaigns", json=body(changes))
    assert answer.status_code == 422, answer.text
    (problem,) = answer.json()["problems"]
    validated = client.post(f"{HERE}/campaigns/validate", json=body(changes)).json()
    assert (validated["valid"], validated["problems"]) == (False, [problem])
    assert (problem["path"], problem["value"]) == (path, value)
    assert allowed in problem["allowed"]
    assert remedy in problem["remedy"]
    assert client.get(f"{HERE}/campaigns").json()["items"] == []


@pytest.mark.parametrize(
    "changes",
    [
        with_sessions({"length": {**LONG_TAIL, "at_most": "12s"}}, "cubic", ahead="1s"),
        with_sessions({"moves": "alpha", "lower": "5s", "upper": "20s"}, "aimd", ahead="1s"),
        with_deadlines("aimd"),
    ],
    ids=["a cut", "sessions beside aimd", "deadlines beside aimd"],
)
def test_with_the_remedy_they_are_taken(platform: Platform, changes: dict[str, Any]) -> None:
    answer = platform.client("submit").post(f"{HERE}/campaigns/validate", json=body(changes))
    assert answer.json()["valid"], answer.text
