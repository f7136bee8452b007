"""Webhooks on both back ends: told once, signed, visible to few."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy import select, update
from weir_orchestrator.api.webhooks.service import MOST
from weir_orchestrator.db import (
    Event,
    Webhook,
    WebhookDelivery,
)
from weir_orchestrator.events import emit
from weir_orchestrator.webhooks import KINDS, Deliverer
from weir_testing.patience import until
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import HERE
from weir_testing.platform.receiver import Receiver
from weir_testing.platform.webhooks import deliveries, delivering, end, fail, plan, planner
from weir_testing.platform.work import submit


def test_the_end_of_a_campaign_is_told_signed(
    open_platform: Platform, receiver: Receiver, webhook: Any, deliverer: Deliverer
) -> None:
    campaign = submit(open_platform.sessions, open_platform.team_id, ["a" * 32])
    end(open_platform, campaign)
    until(lambda: bool(receiver.got))
    (message,) = receiver.verified(webhook["secret"])
    assert message["type"] == "campaign.ended"
    assert message["data"]["campaign"] == {
        "id": str(campaign),
        "name": "small",
        "state": "finished",
        "run_count": 1,
        "counts": {"queued": 1},
        "url": f"https://weir.example.org/campaigns/{campaign}",
    }
    until(lambda: deliveries(open_platform, webhook)[0]["state"] == "delivered")
    shown = deliveries(open_platform, webhook)[0]
    assert (shown["status_code"], shown["attempts"], shown["error"]) == (204, 1, "")
    with open_platform.sessions() as session:
        told = session.scalars(select(Event).where(Event.kind == "webhook.delivery")).one()
    assert told.data["state"] == "delivered"


def test_other_teams_and_other_events_are_not_told(
    open_platform: Platform, receiver: Receiver, webhook: Any
) -> None:
    client = open_platform.client("admin")
    client.patch(f"/api/v1/webhooks/{webhook['id']}", json={"events": ["schedule.failed"]})
    end(open_platform, submit(open_platform.sessions, open_platform.team_id, []))
    theirs = submit(open_platform.sessions, open_platform.other_team_id, [])
    with open_platform.sessions.begin() as session:
        data = {"outcome": "failed", "detail": "x", "name": "theirs"}
        emit(session, open_platform.other_team_id, theirs, "schedule.tick", data)
        emit(session, open_platform.team_id, None, "schedule.tick", {**data, "name": "ours"})
    plan(open_platform)
    (shown,) = deliveries(open_platform, webhook)
    assert shown["kind"] == "schedule.failed"
    assert shown["payload"]["data"]["schedule"]["name"] == "ours"


def test_failures_are_told_at_most_once_a_minute_and_none_is_left_out(
    open_platform: Platform, webhook: Any
) -> None:
    campaign = submit(open_platform.sessions, open_platform.team_id, [])
    fail(open_platform, campaign, 1, 2)
    plan(open_platform)
    with open_platform.sessions.begin() as session:
        session.execute(update(WebhookDelivery).values(state="delivered", attempts=1))
    fail(open_platform, campaign, 3)
    plan(open_platform)
    fail(open_platform, campaign, *range(4, 20))
    plan(open_platform)
    with open_platform.sessions() as session:
        first, second = session.scalars(select(WebhookDelivery).order_by(WebhookDelivery.id))
    assert first.payload["data"]["failed"] == 2
    assert second.payload["data"]["failed"] == 17
    assert [run["run_id"] for run in second.payload["data"]["runs"]] == list(range(3, 13))
    assert second.due_at - first.due_at >= timedelta(minutes=1)
    assert len(str(second.payload)) < 20_000


def test_each_event_is_told_once_by_several_housekeepers(
    open_platform: Platform, webhook: Any
) -> None:
    one, other = planner(open_platform), planner(open_platform)
    for _ in range(4):
        end(open_platform, submit(open_platform.sessions, open_platform.team_id, []))
        one.plan()
        other.plan()
    plan(open_platform)
    assert len(deliveries(open_platform, webhook)) == 4


def test_private_addresses_are_refused_by_default(platform: Platform, receiver: Receiver) -> None:
    client = platform.client("admin")
    answer = client.post(f"{HERE}/webhooks", json={"url": receiver.url})
    assert answer.status_code == 422
    assert answer.json()["problems"][0]["path"] == "url"
    with platform.sessions.begin() as session:
        hidden = Webhook(
            team_id=platform.team_id, url=receiver.url, secret="whsec_YWJj", events=list(KINDS)
        )
        session.add(hidden)
    with delivering(platform):
        end(platform, submit(platform.sessions, platform.team_id, []))
        until(lambda: bool(deliveries(platform, {"id": hidden.id})[0:1]))
        until(lambda: deliveries(platform, {"id": hidden.id})[0]["error"] != "")
    assert "this machine" in deliveries(platform, {"id": hidden.id})[0]["error"] or (
        "private" in deliveries(platform, {"id": hidden.id})[0]["error"]
    )
    assert receiver.got == []


def test_only_administrators_see_webhooks(open_platform: Platform, webhook: Any) -> None:
    for role, status in (("submit", 403), ("outsider", 404), ("nobody", 401)):
        client = open_platform.client(role)
        assert client.get(f"{HERE}/webhooks").status_code == status
        assert client.get(f"/api/v1/webhooks/{webhook['id']}").status_code == status


def test_a_team_has_so_many_webhooks_at_most(open_platform: Platform, webhook: Any) -> None:
    client = open_platform.client("admin")
    asked = {"url": "https://ci.example.org/"}
    answers = [client.post(f"{HERE}/webhooks", json=asked).status_code for _ in range(MOST)]
    assert answers == [201] * (MOST - 1) + [409]
