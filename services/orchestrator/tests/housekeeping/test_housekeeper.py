"""Housekeeping: campaigns that end without anybody's doing, and rows that are no more use."""

from __future__ import annotations

import threading
import uuid
from collections import Counter
from datetime import timedelta

import pytest
from sqlalchemy import select, update
from weir_orchestrator.db import (
    Campaign,
    Event,
    IdempotencyKey,
    Lease,
    LoginSession,
    Run,
    Schedule,
    ScheduleTick,
    Webhook,
    WebhookDelivery,
    Worker,
    utc_now,
)
from weir_orchestrator.housekeeping import retention
from weir_orchestrator.housekeeping.housekeeper import Housekeeper
from weir_orchestrator.housekeeping.stranded import Stranded
from weir_orchestrator.lifecycle import over, settle_if_over
from weir_testing.patience import until
from weir_testing.platform import Platform
from weir_testing.platform.work import key_of, states, submit
from weir_testing.stand_in.versions import KERNEL, ROLES


def add_worker(platform: Platform, **fields: object) -> uuid.UUID:
    with platform.sessions.begin() as session:
        row = Worker(host="here", pid=1, jobs=1, **fields)
        session.add(row)
    return row.id


def test_a_campaign_whose_runs_all_ended_unseen_is_finished_once(platform: Platform) -> None:
    campaign_id = submit(platform.sessions, platform.team_id, [key_of(1), key_of(2)])
    with platform.sessions.begin() as session:
        assert over(session) == []
        session.execute(update(Run).values(state="succeeded", ended_at=utc_now()))
        assert over(session) == [campaign_id]
    for _ in range(2):
        with platform.sessions.begin() as session:
            settle_if_over(session, campaign_id)
    with platform.sessions() as session:
        assert session.get_one(Campaign, campaign_id).counts == {"succeeded": 2}
        told = session.scalars(select(Event.data).where(Event.kind == "campaign.state")).all()
        assert told == [{"state": "finished"}]
        assert over(session) == []


@pytest.mark.parametrize(
    ("roles", "kernels", "state"),
    [
        ("newer", [KERNEL], "failed"),
        (ROLES, ["newer"], "failed"),
        (ROLES, ["newer", KERNEL], "queued"),
    ],
)
def test_runs_that_no_worker_can_carry_out_fail_in_the_end(
    platform: Platform, roles: str, kernels: list[str], state: str
) -> None:
    campaign_id = submit(platform.sessions, platform.team_id, [key_of(1)])
    Stranded(0).fail(platform.sessions)
    assert states(platform.sessions, campaign_id) == ["queued"], "no worker at all: one may come"
    add_worker(platform, roles_hash=roles, kernels=kernels)
    Stranded().fail(platform.sessions)
    assert states(platform.sessions, campaign_id) == ["queued"], "not at once"
    Stranded(0).fail(platform.sessions)
    assert states(platform.sessions, campaign_id) == [state]
    with platform.sessions() as session:
        reason = session.scalars(select(Run.reason)).one()
        assert ("clone the campaign" in reason) == (state == "failed")
        finished = session.get_one(Campaign, campaign_id).state == "finished"
        assert finished == (state == "failed")


def test_runs_wait_while_a_worker_builds_kernels(platform: Platform) -> None:
    campaign_id = submit(platform.sessions, platform.team_id, [key_of(1)])
    building = {"kernel_hash": "another", "number": 1, "of": 1}
    worker = add_worker(platform, roles_hash=ROLES, kernels=["newer"], building=building)
    Stranded(0).fail(platform.sessions)
    assert states(platform.sessions, campaign_id) == ["queued"]
    with platform.sessions.begin() as session:
        session.get_one(Worker, worker).building = None
    Stranded(0).fail(platform.sessions)
    assert states(platform.sessions, campaign_id) == ["failed"]


def test_a_housekeeper_reaps_and_cleans(platform: Platform) -> None:
    campaign_id = submit(platform.sessions, platform.team_id, [key_of(1)])
    long_ago = utc_now() - timedelta(days=40)
    dead = add_worker(platform, seen_at=long_ago)
    add_worker(platform, seen_at=long_ago, state="gone")
    lively = add_worker(platform)
    with platform.sessions.begin() as session:
        run = session.scalars(select(Run)).one()
        run.state, run.attempts = "running", 1
        session.add(Lease(key=run.key, run_id=run.id, worker_id=dead, until=long_ago))
        session.add(Event(team_id=platform.team_id, kind="run.started", at=long_ago))
        session.execute(update(LoginSession).values(expires_at=long_ago))
    housekeeper = Housekeeper(platform.settings)
    thread = threading.Thread(target=housekeeper.run)
    thread.start()
    until(lambda: workers(platform) == {lively: "up"}, "the end of the dead")
    housekeeper.stop()
    thread.join()
    assert workers(platform) == {lively: "up"}
    assert states(platform.sessions, campaign_id) == ["queued"]
    with platform.sessions() as session:
        assert session.scalars(select(Lease)).all() == []
        assert session.scalars(select(LoginSession)).all() == []
        assert session.scalars(select(Event)).all() == []


def test_what_is_old_is_removed_and_what_is_not_stays(
    platform: Platform,
) -> None:
    campaign_id = submit(platform.sessions, platform.team_id, [key_of(1)])
    here = {"team_id": platform.team_id}
    moments = [utc_now() - timedelta(days=days) for days in (40, 35, 32, 20, 0)]
    with platform.sessions.begin() as session:
        hook = Webhook(**here, url="https://93.184.215.14/", secret="s", events=["campaign.ended"])
        schedule = Schedule(**here, name="nightly", cron="0 3 * * *", document="")
        session.add_all([hook, schedule])
        session.flush()
        for at in moments:
            session.add(Event(**here, kind="run.started", at=at))
            told = {"webhook_id": hook.id, "kind": "test", "payload": {}, "due_at": at}
            due = {"schedule_id": schedule.id, "due_at": at}
            for state, outcome in (("delivered", "submitted"), ("pending", "waiting")):
                session.add(WebhookDelivery(**told, state=state))
                session.add(ScheduleTick(**due, outcome=outcome))
                due["due_at"] = at + timedelta(seconds=1)
            given = {"request_hash": "", "campaign_id": campaign_id, "created_at": at}
            session.add(IdempotencyKey(**here, key=str(at), **given))
        signed_in = session.scalars(select(LoginSession)).all()
        signed_in[0].expires_at = moments[0]
    rounds = 1
    while retention.remove_old(platform.sessions, platform.settings, at_most=2):
        rounds += 1
    assert rounds == 2
    young = Counter(dict.fromkeys(moments[3:], 1))
    with platform.sessions() as session:
        assert Counter(session.scalars(select(Event.at))) == young
        delivered = select(WebhookDelivery.due_at).where(WebhookDelivery.state == "delivered")
        assert Counter(session.scalars(delivered)) == young
        assert len(session.scalars(select(WebhookDelivery)).all()) == 2 + 5, "pending ones stay"
        submitted = select(ScheduleTick.due_at).where(ScheduleTick.outcome == "submitted")
        assert Counter(session.scalars(submitted)) == young
        assert len(session.scalars(select(ScheduleTick)).all()) == 2 + 5, "open ones stay"
        assert session.scalars(select(IdempotencyKey.created_at)).all() == moments[4:]
        left = set(session.scalars(select(LoginSession.id)))
        assert left == {each.id for each in signed_in[1:]}


def workers(platform: Platform) -> dict[uuid.UUID, str]:
    with platform.sessions() as session:
        return {row.id: row.state for row in session.scalars(select(Worker))}
