"""Secrets that webhooks sign with: told once, and changed without a message lost."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update
from standardwebhooks.webhooks import WebhookVerificationError
from weir_orchestrator.db import AuditEntry, Webhook, utc_now
from weir_orchestrator.webhooks import Deliverer
from weir_testing.patience import until
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import HERE
from weir_testing.platform.receiver import Receiver
from weir_testing.platform.webhooks import end
from weir_testing.platform.work import submit


def _told(platform: Platform, receiver: Receiver) -> None:
    """Have one more message sent."""
    before = len(receiver.got)
    end(platform, submit(platform.sessions, platform.team_id, []))
    until(lambda: len(receiver.got) > before)
    del receiver.got[:before]


def _changed(platform: Platform, webhook: Any, **how: int) -> Any:
    address = f"/api/v1/webhooks/{webhook['id']}/secret"
    answer = platform.client("admin").post(address, json=how)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_changed_secret_and_the_one_before_both_verify_for_a_day(
    open_platform: Platform, receiver: Receiver, webhook: Any, deliverer: Deliverer
) -> None:
    changed = _changed(open_platform, webhook)
    assert changed["secret"] != webhook["secret"]
    left = utc_now().fromisoformat(changed["old_secret_until"]) - utc_now()
    assert timedelta(hours=23) < left <= timedelta(hours=24)
    _told(open_platform, receiver)
    for secret in (webhook["secret"], changed["secret"]):
        assert receiver.verified(secret)[0]["type"] == "campaign.ended"
    with open_platform.sessions.begin() as session:
        session.execute(update(Webhook).values(old_secret_until=utc_now() - timedelta(seconds=1)))
    _told(open_platform, receiver)
    assert receiver.verified(changed["secret"])
    with pytest.raises(WebhookVerificationError):
        receiver.verified(webhook["secret"])


def test_a_leaked_secret_is_good_for_nothing_at_once(
    open_platform: Platform, receiver: Receiver, webhook: Any, deliverer: Deliverer
) -> None:
    _changed(open_platform, webhook)
    changed = _changed(open_platform, webhook, old_for_hours=0)
    assert changed["old_secret_until"] is None
    with open_platform.sessions() as session:
        assert session.scalars(select(Webhook.old_secret)).one() is None
    _told(open_platform, receiver)
    assert receiver.verified(changed["secret"])
    with pytest.raises(WebhookVerificationError):
        receiver.verified(webhook["secret"])


def test_secrets_are_told_once(open_platform: Platform, webhook: Any) -> None:
    client = open_platform.client("admin")
    address = f"/api/v1/webhooks/{webhook['id']}"
    client.post(f"{address}/test")
    changed = client.post(f"{address}/secret", json={}).json()["secret"]
    texts = [
        client.get(address).text,
        client.get(f"{HERE}/webhooks").text,
        client.get(f"{address}/deliveries").text,
        client.patch(address, json={"enabled": True}).text,
    ]
    with open_platform.sessions() as session:
        texts += [str(detail) for detail in session.scalars(select(AuditEntry.detail))]
    for secret in (webhook["secret"], changed, "whsec_"):
        assert [text for text in texts if secret in text] == []
