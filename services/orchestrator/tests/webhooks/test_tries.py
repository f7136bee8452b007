"""Tries to deliver a webhook's messages: again and again, but not for ever, and nobody waits."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update
from weir_orchestrator.db import (
    WebhookDelivery,
    utc_now,
)
from weir_orchestrator.webhooks import Deliverer, deliver
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import HERE
from weir_testing.platform.receiver import Receiver, receiving
from weir_testing.platform.served import until
from weir_testing.platform.webhooks import deliveries, end, plan
from weir_testing.platform.work import submit


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
