"""Schedules on both back ends: what is submitted, when, how often, and what else can happen."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import func, select, update
from weir_orchestrator import schedules, submission
from weir_orchestrator.db import Campaign, Event, Schedule, ScheduleTick, Team, User
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import HERE, SPEC, body, submit, upload
from weir_testing.platform.statements import noted
from weir_testing.platform.turns import at_once

MONDAY = datetime(2026, 6, 1, 2, 30, tzinfo=UTC)
DAY = timedelta(days=1)

Make = Callable[..., Any]


@pytest.fixture(autouse=True)
def clock(platform: Platform) -> None:
    """Schedules are made a minute before MONDAY."""
    it_is(platform, MONDAY - timedelta(minutes=1))


def it_is(platform: Platform, now: datetime) -> None:
    platform.app.state.now = lambda: now


@pytest.fixture
def make(platform: Platform) -> Make:
    def made(**fields: Any) -> Any:
        given = {"name": "nightly", "cron": "30 2 * * *", "campaign": body(), **fields}
        answer = platform.client("submit").post(f"{HERE}/schedules", json=given)
        assert answer.status_code == 201, answer.text
        return answer.json()

    return made


def tick(platform: Platform, now: datetime, submitter: Any = submission.submit) -> int:
    parts = platform.sessions, platform.objects, platform.settings
    return at_once(lambda take: schedules.tick(*parts, now, take, submitter))


def ticks(platform: Platform, schedule: Any) -> list[tuple[datetime, str]]:
    query = select(ScheduleTick.due_at, ScheduleTick.outcome).order_by(ScheduleTick.id)
    with platform.sessions() as session:
        here = query.where(ScheduleTick.schedule_id == uuid.UUID(schedule["id"]))
        return [(due, outcome) for due, outcome in session.execute(here)]


def campaigns(platform: Platform) -> int:
    with platform.sessions() as session:
        return session.scalar(select(func.count()).select_from(Campaign)) or 0


def finish_all(platform: Platform) -> None:
    with platform.sessions.begin() as session:
        session.execute(update(Campaign).values(state="finished"))


def test_a_campaign_is_submitted_when_it_is_due(platform: Platform, make: Make) -> None:
    made = make()
    assert made["next_at"] == "2026-06-01T02:30:00Z"
    assert tick(platform, MONDAY - timedelta(seconds=1)) == 0
    assert tick(platform, MONDAY + timedelta(seconds=1)) == 1
    assert tick(platform, MONDAY + timedelta(seconds=2)) == 0
    client = platform.client("read")
    shown = client.get(f"/api/v1/schedules/{made['id']}").json()
    assert shown["next_at"] == "2026-06-02T02:30:00Z"
    assert shown["last"]["outcome"] == "submitted"
    assert client.get(f"{HERE}/schedules").json()["items"][0]["last"] == shown["last"]
    campaign = client.get(f"/api/v1/campaigns/{shown['last']['campaign']}").json()
    assert campaign["name"] == SPEC["name"]
    (told,) = client.get(
        f"/api/v1/campaigns/{campaign['id']}/history", params={"kind": "schedule.tick"}
    ).json()["items"]
    assert told["data"]["outcome"] == "submitted"


def test_what_is_submitted_was_pinned(platform: Platform, make: Make) -> None:
    sha256 = upload(platform.client("submit"), b"0.0,1000000\n5.0,2000000\n")
    files = {"trace.csv": sha256}
    original = submit(platform.client("submit"), files=files, replicates=2, seed=5)
    made = make(campaign=None, campaign_id=original["id"])
    pinned = platform.client("read").get(f"/api/v1/schedules/{made['id']}").json()["campaign"]
    assert (pinned["replicates"], pinned["seed"], pinned["files"]) == (2, 5, files)
    with platform.sessions.begin() as session:
        session.execute(update(Campaign).values(document="name: changed\n"))
    finish_all(platform)
    assert tick(platform, MONDAY) == 1
    with platform.sessions() as session:
        again = session.scalars(select(Campaign).where(Campaign.schedule_id.is_not(None))).one()
        assert (again.run_count, again.asked_seed, again.files) == (8, 5, files)
        assert again.document == pinned["document"]


@pytest.mark.parametrize(
    ("overlap", "outcomes"),
    [
        ("skip", ["submitted", "skipped", "skipped"]),
        ("queue", ["submitted", "waiting", "skipped"]),
        ("parallel", ["submitted", "submitted", "submitted"]),
    ],
)
def test_overlap(platform: Platform, make: Make, overlap: str, outcomes: list[str]) -> None:
    made = make(overlap=overlap)
    for day in range(3):
        tick(platform, MONDAY + day * DAY)
    assert [outcome for _, outcome in ticks(platform, made)] == outcomes
    assert campaigns(platform) == outcomes.count("submitted")
    finish_all(platform)
    tick(platform, MONDAY + 2 * DAY + timedelta(minutes=1))
    waited = ["submitted" if each == "waiting" else each for each in outcomes]
    assert [outcome for _, outcome in ticks(platform, made)] == waited
    assert campaigns(platform) == waited.count("submitted")


@pytest.mark.parametrize(("missed", "last"), [("once", "submitted"), ("skip", "missed")])
def test_downtime(platform: Platform, make: Make, missed: str, last: str) -> None:
    made = make(missed=missed)
    tick(platform, MONDAY + 3 * DAY + timedelta(hours=5))
    assert ticks(platform, made) == [(MONDAY, "missed"), (MONDAY + 3 * DAY, last)]
    listed = platform.client("read").get(f"/api/v1/schedules/{made['id']}/ticks").json()["items"]
    assert "3 times" in listed[-1]["detail"]
    assert "5:00:00" in listed[0]["detail"]
    assert campaigns(platform) == (last == "submitted")
    shown = platform.client("read").get(f"/api/v1/schedules/{made['id']}").json()
    assert shown["next_at"] == "2026-06-05T02:30:00Z"


def test_several_housekeepers_submit_once(platform: Platform, make: Make) -> None:
    made = [make(name=f"nightly {number}") for number in range(3)]
    together = threading.Barrier(4)

    def keep() -> None:
        together.wait()
        tick(platform, MONDAY)

    threads = [threading.Thread(target=keep) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    tick(platform, MONDAY)
    assert [ticks(platform, each) for each in made] == [[(MONDAY, "submitted")]] * 3
    assert campaigns(platform) == 3


def test_a_housekeeper_that_died_over_a_tick_loses_nothing(platform: Platform, make: Make) -> None:
    made = make()

    def die(*_: Any) -> None:
        raise RuntimeError("killed")

    assert tick(platform, MONDAY, die) == 0
    assert ticks(platform, made) == [(MONDAY, "due")]
    assert tick(platform, MONDAY + timedelta(seconds=5)) == 1
    assert ticks(platform, made) == [(MONDAY, "submitted")]
    assert campaigns(platform) == 1


def test_what_cannot_be_submitted_is_told(platform: Platform, make: Make) -> None:
    made = make()
    with platform.sessions.begin() as session:
        session.execute(update(Team).values(max_runs_per_campaign=5))
    assert tick(platform, MONDAY) == 1
    shown = platform.client("read").get(f"/api/v1/schedules/{made['id']}").json()
    assert shown["last"]["outcome"] == "failed"
    assert "12 runs" in shown["last"]["detail"]
    assert campaigns(platform) == 0
    with platform.sessions() as session:
        told = session.scalars(select(Event).where(Event.kind == "schedule.tick")).one()
    assert (told.team_id, told.data["outcome"]) == (platform.team_id, "failed")


def test_one_schedule_that_breaks_holds_up_no_other(platform: Platform, make: Make) -> None:
    broken, good = make(name="broken"), make(name="good")

    def submit_good(*arguments: Any) -> Any:
        if str(arguments[4].schedule_id) == broken["id"]:
            raise RuntimeError("a bug")
        return submission.submit(*arguments)

    tick(platform, MONDAY, submit_good)
    assert [outcome for _, outcome in ticks(platform, good)] == ["submitted"]


def test_a_disabled_schedule_is_not_due(platform: Platform, make: Make) -> None:
    made = make()
    client = platform.client("submit")
    address = f"/api/v1/schedules/{made['id']}"
    off = client.patch(address, json={"enabled": False})
    assert off.json()["next_at"] is None
    assert tick(platform, MONDAY) == 0
    assert ticks(platform, made) == []
    on = client.patch(
        address, json={"enabled": True, "cron": "0 4 * * *", "timezone": "Asia/Tokyo"}
    )
    assert on.json()["next_at"] == "2026-06-01T19:00:00Z"


def test_a_schedule_runs_by_hand(platform: Platform, make: Make) -> None:
    made = make(enabled=False)
    answers = [
        platform.client("submit").post(f"/api/v1/schedules/{made['id']}/run") for _ in range(2)
    ]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert {answer.json()["outcome"] for answer in answers} == {"submitted"}
    assert campaigns(platform) == 2


def test_a_schedule_outlives_who_made_it(platform: Platform, make: Make) -> None:
    make()
    with platform.sessions.begin() as session:
        session.delete(session.get_one(User, session.scalars(select(Schedule.created_by)).one()))
    assert tick(platform, MONDAY) == 1
    assert campaigns(platform) == 1


def test_deleting_a_schedule_keeps_its_campaigns(platform: Platform, make: Make) -> None:
    made = make()
    tick(platform, MONDAY)
    assert platform.client("submit").delete(f"/api/v1/schedules/{made['id']}").status_code == 204
    assert platform.client("read").get(f"/api/v1/schedules/{made['id']}").status_code == 404
    assert campaigns(platform) == 1
    assert tick(platform, MONDAY + DAY) == 0


def test_a_list_reads_the_subjects_of_all_schedules_at_once(platform: Platform, make: Make) -> None:
    for number in range(3):
        make(name=f"nightly {number}")
    with noted(platform.app.state.engine) as asked:
        listed = platform.client("read").get(f"{HERE}/schedules").json()["items"]
    assert [each["subjects"] for each in listed] == [[], [], []]
    assert sum("FROM schedule_subject" in each for each in asked) == 1


def test_bad_input_is_refused(platform: Platform, make: Make) -> None:
    make()
    client = platform.client("submit")
    good = {"name": "other", "cron": "30 2 * * *", "campaign": body()}
    for change, status, path in (
        ({"cron": "30 2 * * * *"}, 422, "cron"),
        ({"timezone": "Europe/Atlantis"}, 422, "timezone"),
        ({"campaign": body({"replicates": "many"})}, 422, "replicates"),
        ({"campaign": body(), "campaign_id": str(uuid.uuid4())}, 422, ""),
        ({"campaign": None, "campaign_id": str(uuid.uuid4())}, 404, None),
        ({"name": "nightly"}, 409, None),
    ):
        answer = client.post(f"{HERE}/schedules", json={**good, **change})
        assert answer.status_code == status, answer.text
        if path:
            assert [each["path"] for each in answer.json()["problems"]] == [path]
    assert platform.client("read").post(f"{HERE}/schedules", json=good).status_code == 403


def test_next_times_are_shown_before_a_schedule_is_made(platform: Platform) -> None:
    it_is(platform, datetime(2026, 3, 28, 12, tzinfo=UTC))
    asked: dict[str, str | int] = {"cron": "30 2 * * *", "timezone": "Europe/Berlin", "count": 2}
    answer = platform.client("read").get(f"{HERE}/schedules/preview", params=asked)
    assert answer.json() == [
        {"at": "2026-03-29T01:00:00Z", "local": "2026-03-29T03:00:00+02:00"},
        {"at": "2026-03-30T00:30:00Z", "local": "2026-03-30T02:30:00+02:00"},
    ]
