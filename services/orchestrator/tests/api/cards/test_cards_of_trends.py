"""A schedule's trend as a card: its nights, and the keys of the runs behind its points."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select
from weir_orchestrator.db import Schedule, Team
from weir_testing.platform import OTHER_TEAM, TEAM, Platform
from weir_testing.platform.campaigns import HERE
from weir_testing.platform.nights import METRIC, after, before, judged, night, schedule
from weir_testing.platform.results import Made, store

API = "/api/v1"
__all__ = ["after", "before"]

Trend = dict[str, Any]


@pytest.fixture
def nightly(platform: Platform, before: Made) -> Any:
    """A schedule with three nights, the last in another lab kernel."""
    made = schedule(platform, str(store(platform, before)))
    night(platform, made, before)
    night(platform, made, before)
    night(platform, made, before, kernel_hash="another" * 4)
    judged(platform, made)
    return made


def trend_of(platform: Platform, of: Any) -> Trend:
    client = platform.client("read")
    board = client.get(f"{API}/schedules/{of['id']}/board").json()
    (number,) = (each["trend"] for each in board["points"] if each["metric"] == METRIC)
    found: Trend = client.get(f"{API}/trends/{number}").json()
    return found


def view(of: Any, trend: Trend, **changes: Any) -> dict[str, Any]:
    return {
        "name": "Nights of July",
        "title": "Mean bitrate at reno",
        "view": f"/teams/{TEAM}/schedules/{of['id']}?trend={trend['id']}",
        "numbers": {"columns": ["mean"], "rows": [[point["mean"]] for point in trend["points"]]},
        "trend": trend["id"],
        **changes,
    }


def kept(platform: Platform, given: dict[str, Any]) -> Any:
    answer = platform.client("submit").post(f"{HERE}/cards", json=given)
    assert answer.status_code == 201, answer.text
    return answer.json()


def test_a_card_of_a_trend_names_its_nights_and_their_runs(
    platform: Platform, nightly: Any, before: Made
) -> None:
    trend = trend_of(platform, nightly)
    card = kept(platform, view(nightly, trend))
    of_points = [(each["campaign"], each["at"]) for each in trend["points"]]
    assert [(each["id"], each["night"]) for each in card["campaigns"]] == of_points
    assert [each["runs"] for each in card["campaigns"]] == [24, 24, 24]
    assert [each["kernel_hash"] for each in card["campaigns"]][-1] == "another" * 4
    # The newest night's first, and every night's own runs, though all have the same keys.
    assert len({run["id"] for run in card["runs"]}) == 72
    assert [run["key"] for run in card["runs"]] == 3 * list(before.keys)
    newest = platform.client("read").get(f"{API}/runs/{card['runs'][0]['id']}").json()
    assert newest["campaign_id"] == of_points[-1][0]


def test_a_file_that_goes_on_is_kept_once(platform: Platform, nightly: Any) -> None:
    card = kept(platform, view(nightly, trend_of(platform, nightly)))
    first, *others = (each["document"] for each in card["campaigns"])
    assert first
    assert others == ["", ""]


def test_a_card_of_some_nights_names_these_alone(platform: Platform, nightly: Any) -> None:
    trend = trend_of(platform, nightly)
    newest = [each["campaign"] for each in trend["points"][1:]]
    card = kept(platform, view(nightly, trend, campaigns=newest))
    assert [each["id"] for each in card["campaigns"]] == newest
    assert card["campaigns"][0]["document"]
    assert len(card["runs"]) == 48


def test_its_page_shows_the_nights_and_says_what_is_reproduced(
    platform: Platform, nightly: Any
) -> None:
    card = kept(platform, view(nightly, trend_of(platform, nightly)))
    page = platform.client("read").get(f"{API}/cards/{card['id']}/page").text
    assert "<h2>3 nights</h2>" in page
    assert page.count("The campaign's file") == 1
    for each in card["campaigns"]:
        assert each["night"][:16].replace("T", " ") in page
    assert "What is reproduced are the runs of these nights" in page


def test_what_can_be_carried_out_again_is_one_run_of_every_key(
    platform: Platform, nightly: Any
) -> None:
    card = kept(platform, view(nightly, trend_of(platform, nightly)))
    where = f"{API}/cards/{card['id']}/reproductions/estimate"
    cost = platform.client("submit").get(where).json()
    assert cost["runs"] + sum(each["runs"] for each in cost["left_out"]) == 24


def refused(client: TestClient, given: dict[str, Any]) -> list[str]:
    answer = client.post(f"{HERE}/cards", json=given)
    assert answer.status_code == 422, answer.text
    return [problem["path"] for problem in answer.json()["problems"]]


def test_what_is_no_night_of_it_is_refused(platform: Platform, nightly: Any, before: Made) -> None:
    client = platform.client("submit")
    trend = trend_of(platform, nightly)
    other = str(store(platform, before))
    a_night = trend["points"][0]["campaign"]
    wrong = view(nightly, trend, campaigns=[a_night, other])
    assert refused(client, wrong) == ["campaigns.1"]
    assert refused(client, view(nightly, trend, runs=[1])) == ["runs"]
    assert refused(client, {**view(nightly, trend), "trend": 10**9}) == ["trend"]
    three = [each["campaign"] for each in trend["points"]]
    beside = {**view(nightly, trend, campaigns=three), "trend": None}
    assert refused(client, beside) == ["campaigns"]
    many = [str(uuid.uuid4()) for _ in range(401)]
    assert refused(client, view(nightly, trend, campaigns=many)) == ["campaigns"]


def test_another_teams_trend_is_refused(platform: Platform, nightly: Any) -> None:
    given = view(nightly, trend_of(platform, nightly))
    with platform.sessions.begin() as session:
        of = session.get_one(Schedule, uuid.UUID(nightly["id"]))
        of.team_id = session.scalars(select(Team.id).where(Team.slug == OTHER_TEAM)).one()
    assert refused(platform.client("submit"), given) == ["trend"]
