"""What a campaign may ask of dash.js itself, and how it says what it may not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from weir.dashjs import PINNED, VERSIONS, buffer_most_s, nested
from weir.expand import Expansion
from weir.spec import parse_campaign
from weir_testing.spec import document, problems_of


def asking(options: dict[str, Any], **client: Any) -> dict[str, Any]:
    return document(clients=[{"player": "dashjs", "options": options, **client}])


REFUSED: list[tuple[dict[str, Any], str, str]] = [
    ({"options": {"version": "5.2.9"}}, "clients.0.options.version", "did you mean 5.2.1?"),
    ({"options": {"version": "5.2.9"}}, "clients.0.options.version", "5.2.0, 5.2.1"),
    ({"options": {"setings": {}}}, "clients.0.options.setings", "did you mean settings?"),
    (
        {"options": {"settings": {"streaming": {"abr": {"rules": {"bolRule": {}}}}}}},
        "clients.0.options.settings.streaming.abr.rules.bolRule",
        "did you mean bolaRule?",
    ),
    (
        {"options": {"settings": {"streaming.buffer.bufferTimeDefaul": 8}}},
        "clients.0.options.settings.streaming.buffer.bufferTimeDefaul",
        "did you mean bufferTimeDefault?",
    ),
    (
        {"options": {"settings": {"streaming.buffer.bufferTimeDefault": "8s"}}},
        "clients.0.options.settings.streaming.buffer.bufferTimeDefault",
        "write a number",
    ),
    ({"live": True}, "clients.0.live", "remove it"),
]


@pytest.mark.parametrize(("client", "path", "hint"), REFUSED)
def test_what_it_cannot_do_is_refused(client: dict[str, Any], path: str, hint: str) -> None:
    found = problems_of(document(clients=[{"player": "dashjs", **client}]))
    hints = [hint in str(problem) for problem in found if problem.path == f"experiment.{path}"]
    assert hints == [True]


def test_it_plays_on_the_virtual_clock_over_http_1() -> None:
    asked = asking({}) | {}
    asked["experiment"]["clock"] = "real"
    assert any("clock" in problem.path for problem in problems_of(asked))
    asked = asking({})
    asked["experiment"]["server"] = {"http_version": 2}
    assert [problem.path for problem in problems_of(asked)] == ["experiment.server.http_version"]


def test_the_version_and_all_settings_are_part_of_the_experiment() -> None:
    dotted = {"streaming.abr.rules.bolaRule.active": False, "debug": {"logLevel": 4}}
    run = next(Expansion(parse_campaign(asking({"settings": dotted}), Path())).runs())
    assert run.experiment["clients"][0]["options"] == {
        "version": VERSIONS[-1],
        "settings": {
            "debug": {"logLevel": 4},
            "streaming": {"abr": {"rules": {"bolaRule": {"active": False}}}},
        },
    }


def test_a_factor_may_set_one_setting() -> None:
    path = "clients.0.options.settings.streaming.abr.rules.bolaRule.active"
    asked = asking({}) | {"factors": {path: [True, False]}}
    found = [
        run.experiment["clients"][0]["options"]["settings"]["streaming"]["abr"]["rules"]
        for run in Expansion(parse_campaign(asked, Path())).runs()
    ]
    assert found == [{"bolaRule": {"active": each}} for each in (True, False)]


def test_dotted_keys_and_trees_are_one() -> None:
    assert nested({"b.c": 1, "b": {"a": 2}, "a": 3}) == {"a": 3, "b": {"a": 2, "c": 1}}


def test_every_version_says_its_settings() -> None:
    for version in VERSIONS:
        known = PINNED.package(version).settings["streaming"]
        assert buffer_most_s({}, 20) == 20 < known["buffer"]["bufferTimeAtTopQualityLongForm"]
