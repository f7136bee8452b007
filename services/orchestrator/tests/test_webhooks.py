"""Webhooks on both back ends: told once, signed, retried, visible."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from campaign_parts import HERE
from live_parts import until
from platform_parts import Platform
from sqlalchemy import select, update
from webhook_receiver import Receiver, receiving
from weir_orchestrator.api.webhooks.service import MOST
from weir_orchestrator.db import (
    AuditEntry,
    Campaign,
    Event,
    Webhook,
    WebhookDelivery,
    utc_now,
)
from weir_orchestrator.events import emit
from weir_orchestrator.webhooks import KINDS, Deliverer, Planner, deliver
from work_parts import submit


@pytest.fixture
def open_platform(platform_with: Callable[..., Platform]) -> Platform:
    return platform_with(webhooks_to_private=True, public_url="https://weir.example.org")


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


@pytest.fixture
def webhook(open_platform: Platform, receiver: Receiver) -> Any:
    asked = {"url": receiver.url, "events": list(KINDS)}
    answer = open_platform.client("admin").post(f"{HERE}/webhooks", json=asked)
    assert answer.status_code == 201, answer.text
    return answer.json()


@pytest.fixture
def deliverer(open_platform: Platform) -> Iterator[Deliverer]:
    made = Deliverer(
        open_platform.sessions, open_platform.app.state.reading, open_platform.settings
    )
    made.start()
    yield made
    made.stop()


def planner(platform: Platform) -> Planner:
    return Planner(platform.sessions, platform.app.state.reading, platform.settings)


def plan(platform: Platform) -> None:
    made = planner(platform)
    while made.plan():
        pass


def deliveries(platform: Platform, webhook: Any) -> list[Any]:
    answer = platform.client("admin").get(f"/api/v1/webhooks/{webhook['id']}/deliveries")
    assert answer.status_code == 200, answer.text
    listed: list[Any] = answer.json()["items"]
    return listed


def fail(platform: Platform, campaign: uuid.UUID, *runs: int) -> None:
    with platform.sessions.begin() as session:
        for run in runs:
            data = {"run_id": run, "position": run, "state": "failed", "reason": "r" * 9000}
            emit(session, platform.team_id, campaign, "run.ended", data)


def end(platform: Platform, campaign: uuid.UUID) -> None:
    with platform.sessions.begin() as session:
        session.get_one(Campaign, campaign).state = "finished"
        emit(session, platform.team_id, campaign, "campaign.state", {"state": "finished"})


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


def test_a_message_is_tried_again_until_it_is_taken(
    open_platform: Platform,
    receiver: Receiver,
    webhook: Any,
    deliverer: Deliverer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(deliver, "STEPS", (timedelta(0),) * 3)
    receiver.statuses = [500, 302, 204]
    end(open_platform, submit(open_platform.sessions, open_platform.team_id, []))
    until(lambda: [d["state"] for d in deliveries(open_platform, webhook)] == ["delivered"])
    assert deliveries(open_platform, webhook)[0]["attempts"] == 3
    assert len(receiver.verified(webhook["secret"])) == 3
    assert len({headers["webhook-id"] for headers, _ in receiver.got}) == 1


def test_after_the_last_try_it_has_failed_and_can_be_sent_again(
    open_platform: Platform,
    receiver: Receiver,
    webhook: Any,
    deliverer: Deliverer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(deliver, "STEPS", (timedelta(0),))
    receiver.statuses = [500, 500, 204]
    end(open_platform, submit(open_platform.sessions, open_platform.team_id, []))
    until(lambda: [d["state"] for d in deliveries(open_platform, webhook)] == ["failed"])
    (shown,) = deliveries(open_platform, webhook)
    assert (shown["attempts"], shown["status_code"]) == (2, 500)
    again = f"/api/v1/webhooks/{webhook['id']}/deliveries/{shown['id']}/redeliver"
    assert open_platform.client("admin").post(again).json()["state"] == "pending"
    until(lambda: [d["state"] for d in deliveries(open_platform, webhook)] == ["delivered"])
    assert len({headers["webhook-id"] for headers, _ in receiver.got}) == 1


def test_a_try_waits_longer_every_time(
    open_platform: Platform, receiver: Receiver, webhook: Any, deliverer: Deliverer
) -> None:
    receiver.statuses = [503]
    end(open_platform, submit(open_platform.sessions, open_platform.team_id, []))
    until(lambda: [d["status_code"] for d in deliveries(open_platform, webhook)] == [503])
    with open_platform.sessions() as session:
        row = session.scalars(select(WebhookDelivery)).one()
    assert row.state == "pending"
    assert row.next_at is not None
    assert timedelta(seconds=2) < row.next_at - utc_now() < timedelta(seconds=6)
    assert list(deliver.STEPS) == sorted(deliver.STEPS)


def test_a_try_that_died_is_made_again(
    open_platform: Platform, receiver: Receiver, webhook: Any
) -> None:
    end(open_platform, submit(open_platform.sessions, open_platform.team_id, []))
    plan(open_platform)
    reading, settings = open_platform.app.state.reading, open_platform.settings
    died = Deliverer(open_platform.sessions, reading, settings)
    assert [each.number for each in died._claim()] == [1]
    assert died._claim() == []
    with open_platform.sessions.begin() as session:
        session.execute(update(WebhookDelivery).values(next_at=utc_now()))
    following = Deliverer(open_platform.sessions, reading, settings)
    following.start()
    until(lambda: [d["state"] for d in deliveries(open_platform, webhook)] == ["delivered"])
    following.stop()
    assert deliveries(open_platform, webhook)[0]["attempts"] == 2


def test_a_receiver_that_is_gone_is_switched_off(
    open_platform: Platform, receiver: Receiver, webhook: Any, deliverer: Deliverer
) -> None:
    receiver.statuses = [410]
    end(open_platform, submit(open_platform.sessions, open_platform.team_id, []))
    until(lambda: [d["state"] for d in deliveries(open_platform, webhook)] == ["failed"])
    shown = open_platform.client("admin").get(f"/api/v1/webhooks/{webhook['id']}").json()
    assert shown["enabled"] is False


def test_a_slow_receiver_keeps_nobody_waiting(
    open_platform: Platform, receiver: Receiver, webhook: Any, deliverer: Deliverer
) -> None:
    with receiving() as slow:
        slow.drip_s = 0.2
        client = open_platform.client("admin")
        client.post(f"{HERE}/webhooks", json={"url": slow.url})
        for _ in range(3):
            end(open_platform, submit(open_platform.sessions, open_platform.team_id, []))
        until(lambda: len(receiver.got) == 3, 8)
        assert len(slow.got) == 1


def test_a_test_message_is_tried_once(
    open_platform: Platform, receiver: Receiver, webhook: Any, deliverer: Deliverer
) -> None:
    client = open_platform.client("admin")
    address = f"/api/v1/webhooks/{webhook['id']}"
    client.patch(address, json={"enabled": False})
    receiver.statuses = [500]
    assert client.post(f"{address}/test").status_code == 201
    until(lambda: [d["state"] for d in deliveries(open_platform, webhook)] == ["failed"])
    assert receiver.verified(webhook["secret"])[0]["type"] == "test"
    assert len(receiver.got) == 1


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
    made = Deliverer(platform.sessions, platform.app.state.reading, platform.settings)
    made.start()
    end(platform, submit(platform.sessions, platform.team_id, []))
    until(lambda: bool(deliveries(platform, {"id": hidden.id})[0:1]))
    until(lambda: deliveries(platform, {"id": hidden.id})[0]["error"] != "")
    made.stop()
    assert "this machine" in deliveries(platform, {"id": hidden.id})[0]["error"] or (
        "private" in deliveries(platform, {"id": hidden.id})[0]["error"]
    )
    assert receiver.got == []


def test_secrets_are_told_once(open_platform: Platform, webhook: Any) -> None:
    client = open_platform.client("admin")
    address = f"/api/v1/webhooks/{webhook['id']}"
    client.post(f"{address}/test")
    texts = [
        client.get(address).text,
        client.get(f"{HERE}/webhooks").text,
        client.get(f"{address}/deliveries").text,
        client.patch(address, json={"enabled": True}).text,
    ]
    with open_platform.sessions() as session:
        texts += [str(detail) for detail in session.scalars(select(AuditEntry.detail))]
    assert not any(webhook["secret"] in text or "secret" in text for text in texts)


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
