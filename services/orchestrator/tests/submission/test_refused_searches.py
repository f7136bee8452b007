"""Searches that cannot be are refused with the place, what stands there, what may, and a remedy."""

from __future__ import annotations

from typing import Any, Final

import pytest
from sqlalchemy import func, select, update
from weir_orchestrator.db import Campaign, Combination, Event, Run, Team
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import HERE, body, submit
from weir_testing.platform.searching import CHANGES, CONTROL, RATE, SEARCH

FACTORS: Final = {"factors": {CONTROL: ["cubic", "reno"]}}
# As many levels confirm as where the document says nothing of it.
SILENT: Final = {name: value for name, value in SEARCH.items() if name != "confirm"}


def searching(**search: Any) -> dict[str, Any]:
    return {**FACTORS, "search": {**SILENT, **search}}


def refused(platform: Platform, changes: dict[str, Any]) -> list[dict[str, Any]]:
    """The problems that a submission is told, as its validation is; nothing of it is written."""
    client = platform.client("submit")
    answer = client.post(f"{HERE}/campaigns", json=body(changes))
    assert answer.status_code == 422, answer.text
    problems: list[dict[str, Any]] = answer.json()["problems"]
    validated = client.post(f"{HERE}/campaigns/validate", json=body(changes)).json()
    assert (validated["valid"], validated["problems"]) == (False, problems)
    with platform.sessions() as session:
        for written in (Campaign, Combination, Run, Event):
            assert session.scalar(select(func.count()).select_from(written)) == 0
    return problems


@pytest.mark.parametrize(
    ("changes", "path", "value", "allowed", "remedy"),
    [
        ({**searching(), "factors": {RATE: ["2Mbit/s"]}}, "search.factor", RATE,
         "that no factor sets", "keep one"),
        (searching(factor="gateway.downlink.rat"), "search.factor", "gateway.downlink.rat",
         "a path in the experiment", "did you mean gateway.downlink.rate?"),
        (searching(factor="sessions.groups.0.count", **{"from": 1, "to": 9, "step": 1}),
         "search.factor", "sessions.groups.0.count", "a path in the experiment", "0 entries"),
        (searching(factor="server.http", **{"from": 1, "to": 9, "step": 1}), "search.factor",
         "server.http", "a quantity or a number", "as a factor instead"),
        (searching(step="0Mbit/s"), "search.step", "0Mbit/s", "above zero", "needs steps"),
        (searching(step=0), "search.step", 0, "above zero", "needs steps"),
        (searching(step="0.000001bit/s"), "search.step", "0.000001bit/s", "1,000,000 levels",
         "raise step"),
        (searching(to="999999999Gbit/s"), "search.to", "999999999Gbit/s", "a rate", "too large"),
        (searching(**{"from": "9Mbit/s", "to": "1Mbit/s"}), "search.to", "1Mbit/s",
         "a step above 9Mbit/s", "swap from and to"),
        (searching(**{"from": "slow"}), "search.from", "slow", "a quantity", "write one"),
        (searching(to="9.5Mbit/s"), "search.to", "9.5Mbit/s", "whole steps of 1Mbit/s",
         "change to or step"),
        (searching(to="fast"), "search.to", "fast", "a rate", "a number and a unit"),
        (searching(**{"from": [1]}), "search.from", "[1]", "a quantity", "as a level"),
        (searching(**{"from": "0Mbit/s"}), "search.from", "0Mbit/s", "above zero", "8Mbit/s"),
        (searching(passes={"metric": "luck", "at_most": 0}), "search.passes.metric", "luck",
         "a metric's name", "docs/reference.md"),
        (searching(passes={"metric": "stall_count", "at_most": float("nan")}),
         "search.passes.at_most", ".nan", "", "a valid number"),
        ({**searching(), "exclude": [{RATE: "1Mbit/s"}]}, f"exclude.0.{RATE}", "1Mbit/s",
         f"factors: {CONTROL}", "the search's to choose"),
    ],
)  # fmt: skip
def test_they_are_refused_by_place(
    platform: Platform, changes: dict[str, Any], path: str, value: Any, allowed: str, remedy: str
) -> None:
    (problem,) = refused(platform, changes)
    assert (problem["path"], problem["value"]) == (path, value)
    assert allowed in problem["allowed"]
    assert remedy in problem["remedy"]


def test_each_fault_of_a_field_is_told(platform: Platform) -> None:
    no_quantity, factor_already = refused(platform, searching(factor=CONTROL))
    for problem in (no_quantity, factor_already):
        assert (problem["path"], problem["value"]) == ("search.factor", CONTROL)
    assert "a quantity or a number" in no_quantity["allowed"]
    assert "that no factor sets" in factor_already["allowed"]
    assert "keep one" in factor_already["remedy"]


def test_a_million_levels_are_taken_at_once(platform: Platform) -> None:
    client = platform.client("submit")
    many = searching(**{"from": "10bit/s", "to": "10Mbit/s", "step": "10bit/s"})
    validated = client.post(f"{HERE}/campaigns/validate", json=body(many)).json()
    # Two controls and three replicates, at both ends, 20 levels between and 2 that confirm.
    assert (validated["valid"], validated["runs"]) == (True, 2 * 3 * (2 + 20 + 2))


def test_quotas_and_estimates_are_of_what_it_may_come_to(platform: Platform) -> None:
    client = platform.client("submit")
    estimate = client.post(f"{HERE}/campaigns/estimate", json=body(CHANGES)).json()
    validated = client.post(f"{HERE}/campaigns/validate", json=body(CHANGES)).json()
    assert (estimate["runs"], estimate["film_s"], estimate["exact"]) == (24, 24 * 20, False)
    assert (validated["runs"], validated["at_most"]) == (24, True)
    with platform.sessions.begin() as session:
        here = update(Team).where(Team.id == platform.team_id)
        session.execute(here.values(max_runs_per_campaign=23))
    answer = client.post(f"{HERE}/campaigns", json=body(CHANGES))
    assert answer.status_code == 429, answer.text
    assert "24 runs; the team's quota is 23" in answer.text
    with platform.sessions.begin() as session:
        session.execute(here.values(max_runs_per_campaign=24))
    submit(client, CHANGES)
