"""Tries to deliver a webhook's messages: again and again, but not for ever, and nobody waits."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy import select, update
from weir_orchestrator.db import (
    WebhookDelivery,
    utc_now,
)
from weir_orchestrator.webhooks import Deliverer
from weir_orchestrator.webhooks.deliver import STEPS
from weir_testing.patience import PATIENCE_S, until
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import HERE
from weir_testing.platform.receiver import Receiver, receiving
from weir_testing.platform.webhooks import deliveries, delivering, end, make_deliverer, plan
from weir_testing.platform.work import submit


def test_a_message_is_tried_again_until_it_is_taken(
    open_platform: Platform,
    receiver: Receiver,
    webhook: Any,
) -> None:
    receiver.statuses = [500, 302, 204]
    end(open_platform, submit(open_platform.sessions, open_platform.team_id, []))
    with delivering(open_platform, steps=[timedelta(0)] * 3):
        until(lambda: [d["state"] for d in deliveries(open_platform, webhook)] == ["delivered"])
    assert deliveries(open_platform, webhook)[0]["attempts"] == 3
    assert len(receiver.verified(webhook["secret"])) == 3
    assert len({headers["webhook-id"] for headers, _ in receiver.got}) == 1


def test_after_the_last_try_it_has_failed_and_can_be_sent_again(
    open_platform: Platform,
    receiver: Receiver,
    webhook: Any,
) -> None:
    receiver.statuses = [500, 500, 204]
    end(open_platform, submit(open_platform.sessions, open_platform.team_id, []))
    with delivering(open_platform, steps=[timedelta(0)]):
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
    receiver.statuses, before = [503], utc_now()
    end(open_platform, submit(open_platform.sessions, open_platform.team_id, []))
    until(lambda: [d["status_code"] for d in deliveries(open_platform, webhook)] == [503])
    with open_platform.sessions() as session:
        row = session.scalars(select(WebhookDelivery)).one()
    assert row.state == "pending"
    assert row.next_at is not None
    assert before + STEPS[0] <= row.next_at <= utc_now() + 1.1 * STEPS[0]
    assert list(STEPS) == sorted(STEPS)


def test_a_try_that_died_is_made_again(
    open_platform: Platform, receiver: Receiver, webhook: Any
) -> None:
    end(open_platform, submit(open_platform.sessions, open_platform.team_id, []))
    plan(open_platform)
    died = make_deliverer(open_platform)
    assert [each.number for each in died.claim()] == [1]
    assert died.claim() == []
    with open_platform.sessions.begin() as session:
        session.execute(update(WebhookDelivery).values(next_at=utc_now()))
    with delivering(open_platform):
        until(lambda: [d["state"] for d in deliveries(open_platform, webhook)] == ["delivered"])
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
    open_platform: Platform, receiver: Receiver, webhook: Any
) -> None:
    client = open_platform.client("admin")
    with delivering(open_platform, timeout_s=PATIENCE_S), receiving() as slow:
        slow.drip_s = 0.2
        client.post(f"{HERE}/webhooks", json={"url": slow.url})
        for _ in range(3):
            end(open_platform, submit(open_platform.sessions, open_platform.team_id, []))
        until(lambda: len(receiver.got) == 3)
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
