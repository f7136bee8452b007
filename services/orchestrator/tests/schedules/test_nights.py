"""Scheduled campaigns beside their baselines: which one, what is said, and that it is told."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest
from sqlalchemy import select, update
from weir_orchestrator.db import Campaign, Event, Run
from weir_orchestrator.lifecycle import rerun
from weir_orchestrator.schedules import judge_next
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import HERE, body
from weir_testing.platform.fixtures import SERVED
from weir_testing.platform.nights import CC, judged, night, schedule
from weir_testing.platform.results import Made, make_runs, store
from weir_testing.platform.webhooks import deliveries, plan


def test_nights_are_compared_with_the_last_good_one(
    platform: Platform, before: Made, after: Made
) -> None:
    nightly = schedule(platform, "last-good")
    first = night(platform, nightly, before)
    (said,) = judged(platform, nightly)
    assert (said["verdict"], said["baseline"]) == ("not compared", None)
    assert said["told"] == ["it is the first: the next one is compared with it"]
    second = night(platform, nightly, before)
    assert [each["verdict"] for each in judged(platform, nightly)] == ["same", "not compared"]
    night(platform, nightly, after, bitrate=0.5)
    third = judged(platform, nightly)[0]
    assert (third["verdict"], third["baseline"]) == ("worse", str(second))
    assert (third["changed"], third["combinations"]) == (1, 1)
    assert any("worse: Mean bitrate" in line and "24 pairs" in line for line in third["told"])
    # The worse one is no baseline of the next.
    night(platform, nightly, before)
    assert judged(platform, nightly)[0] == said | {
        "verdict": "same",
        "baseline": str(second),
        "combinations": 1,
        "told": ["0 of 1 combinations changed in any way"],
        "at": judged(platform, nightly)[0]["at"],
    }
    assert first != second


def test_what_cannot_be_told_is_neither_good_nor_a_baseline(
    platform: Platform, before: Made, tmp_path: Path
) -> None:
    changed = before.spec["experiment"] | {"duration": "30s"}
    pair = make_runs(tmp_path, factors={CC: ["reno"]}, replicates=2, experiment=changed)
    nightly = schedule(platform, "last-good")
    first = night(platform, nightly, before)
    for _ in range(2):
        night(platform, nightly, pair, bitrate=0.5)
        said = judged(platform, nightly)[0]
        assert (said["verdict"], said["worse"]) == ("cannot tell", 0)
        assert (said["baseline"], said["changed"]) == (str(first), 1)


def test_a_pinned_baseline_stays_until_it_is_deleted(
    platform: Platform, before: Made, after: Made
) -> None:
    good = store(platform, before)
    nightly = schedule(platform, str(good))
    night(platform, nightly, after)
    assert judged(platform, nightly)[0]["baseline"] == str(good)
    with platform.sessions.begin() as session:
        session.delete(session.get_one(Campaign, good))
    night(platform, nightly, before)
    (why,) = judged(platform, nightly)[0]["told"]
    assert why == "the baseline was deleted: choose another one for the schedule"


def test_a_worse_night_is_told_once(platform: Platform, before: Made, after: Made) -> None:
    given = {"url": "https://ci.example.org/weir", "events": ["campaign.worse"]}
    hook = platform.client("admin").post(f"{HERE}/webhooks", json=given)
    assert hook.status_code == 201, hook.text
    nightly = schedule(platform, str(store(platform, before)))
    night(platform, nightly, before)
    worse = night(platform, nightly, after, bitrate=0.5)
    judged(platform, nightly)
    assert not judge_next(platform.sessions)
    with platform.sessions() as session:
        judgements = select(Event).where(Event.kind == "campaign.judged").order_by(Event.id)
        assert [each.data["verdict"] for each in session.scalars(judgements)] == ["same", "worse"]
    plan(platform)
    (told,) = deliveries(platform, hook.json())
    assert (told["kind"], told["campaign"]) == ("campaign.worse", str(worse))
    assert told["payload"]["data"]["night"]["schedule"] == nightly["name"]


def test_what_has_other_factors_is_not_compared(
    platform: Platform, before: Made, tmp_path: Path
) -> None:
    nightly = schedule(platform, str(store(platform, before)))
    night(platform, nightly, make_runs(tmp_path, replicates=1))
    found = judged(platform, nightly)[0]
    assert found["verdict"] == "not compared"
    assert "vary the same" in found["told"][0]


@pytest.mark.parametrize("platform_settings", SERVED, indirect=True)
def test_what_is_common_is_compared_and_what_is_not_is_said(
    platform: Platform, before: Made, tmp_path: Path
) -> None:
    own = {"replicates": 24, "experiment": before.spec["experiment"]}
    folders = tmp_path / "before", tmp_path / "after"
    for folder in folders:
        folder.mkdir()
    controls = ["reno", "cubic"], ["reno", "bbr", "vegas", "westwood", "illinois"]
    baseline, tonight = (
        make_runs(folder, factors={CC: names}, **own)
        for folder, names in zip(folders, controls, strict=True)
    )
    nightly = schedule(platform, str(store(platform, baseline)))
    night(platform, nightly, tonight)
    found = judged(platform, nightly)[0]
    assert (found["verdict"], found["combinations"]) == ("same", 1)
    assert found["told"] == [
        "0 of 1 combinations changed in any way",
        f"not compared: only the baseline has {CC} cubic",
        *(f"not compared: only the other has {CC} {name}" for name in controls[1][1:3]),
        "not compared: 2 more",
    ]


def test_a_night_on_another_clock_is_not_compared(
    platform: Platform, before: Made, after: Made
) -> None:
    nightly = schedule(platform, str(store(platform, before)))
    tonight = night(platform, nightly, after)
    with platform.sessions.begin() as session:
        session.execute(update(Run).where(Run.campaign_id == tonight).values(clock="real"))
    found = judged(platform, nightly)[0]
    assert found["verdict"] == "not compared"
    assert "on the virtual clock in the baseline, and on the real clock" in found["told"][0]
    assert "Compare campaigns of one clock." in found["told"][0]


def test_a_campaign_that_runs_again_is_judged_again(platform: Platform, before: Made) -> None:
    nightly = schedule(platform, str(store(platform, before)))
    campaign_id = store(platform, before, state_of=lambda p: "succeeded" if p else "failed")
    with platform.sessions.begin() as session:
        campaign = session.get_one(Campaign, campaign_id)
        campaign.schedule_id, campaign.state = uuid.UUID(nightly["id"]), "finished"
    assert judge_next(platform.sessions)
    with platform.sessions.begin() as session:
        campaign = session.get_one(Campaign, campaign_id)
        assert rerun(session, campaign, ["failed"]) == 1
    assert not judge_next(platform.sessions)
    with platform.sessions.begin() as session:
        session.get_one(Campaign, campaign_id).state = "finished"
    assert judge_next(platform.sessions)


def test_only_a_campaign_of_the_team_is_a_baseline(platform: Platform, before: Made) -> None:
    elsewhere = store(platform, before, team="elsewhere")
    given = {"name": "nightly", "cron": "30 2 * * *", "campaign": body()}
    client = platform.client("submit")
    answer = client.post(f"{HERE}/schedules", json=given | {"baseline": str(elsewhere)})
    assert (answer.status_code, client.get(f"{HERE}/schedules").json()["items"]) == (404, [])
    assert "baseline" in answer.json()["detail"]
    for wrong in ("best", 5, None):
        answer = client.post(f"{HERE}/schedules", json=given | {"baseline": wrong})
        assert answer.status_code == 422, answer.text
