"""Making, changing and trying webhooks."""

from __future__ import annotations

import uuid
from datetime import timedelta
from urllib.parse import urlsplit

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from weir.errors import SpecError

from weir_orchestrator.addresses import check_url
from weir_orchestrator.api import audit_log
from weir_orchestrator.api.access import Principal
from weir_orchestrator.api.webhooks.schemas import (
    DeliveryOut,
    MadeWebhook,
    NewWebhook,
    SecretChange,
    WebhookChange,
    WebhookOut,
)
from weir_orchestrator.db import Team, Webhook, WebhookDelivery, utc_now
from weir_orchestrator.errors import Conflict, NotFound
from weir_orchestrator.settings import Settings
from weir_orchestrator.webhooks import TEST, new_secret

__all__ = ["MOST", "Webhooks", "delivery_out", "webhook_out"]

MOST = 20
"""Webhooks of a team."""


class Webhooks:
    """On behalf of `who`, in one session. For administrators of the team: addresses may be
    secrets in themselves."""

    def __init__(self, session: Session, settings: Settings, who: Principal) -> None:
        self._session = session
        self._settings = settings
        self._who = who

    def require(self, team: Team) -> None:
        """Raises NotAllowed."""
        self._who.require(team.id, "admin")

    def get(self, webhook_id: uuid.UUID) -> Webhook:
        """Raises NotFound, NotAllowed."""
        found = self._session.get(Webhook, webhook_id)
        self._who.require(found.team_id if found else None, "admin", "webhook")
        assert found is not None
        return found

    def make(self, team: Team, new: NewWebhook) -> MadeWebhook:
        """Raises NotAllowed, SpecError, Conflict."""
        self.require(team)
        self._check(new.url)
        mine = select(func.count()).select_from(Webhook).where(Webhook.team_id == team.id)
        if (self._session.scalar(mine) or 0) >= MOST:
            raise Conflict(f"the team has {MOST} webhooks, which is the most; delete one first")
        webhook = Webhook(
            team_id=team.id,
            url=new.url,
            events=list(new.events),
            enabled=new.enabled,
            secret=new_secret(),
            created_by=self._who.user_id,
        )
        self._session.add(webhook)
        self._session.flush()
        self._log("webhook.make", webhook)
        return MadeWebhook(**dict(webhook_out(webhook)), secret=webhook.secret)

    def change(self, webhook_id: uuid.UUID, change: WebhookChange) -> Webhook:
        """Raises NotFound, NotAllowed, SpecError."""
        webhook = self.get(webhook_id)
        if change.url is not None:
            self._check(change.url)
        for field, value in change.model_dump(exclude_none=True).items():
            setattr(webhook, field, value)
        self._log("webhook.change", webhook)
        return webhook

    def change_secret(self, webhook_id: uuid.UUID, change: SecretChange) -> MadeWebhook:
        """A new secret, beside which the one so far signs for some time.

        Raises NotFound, NotAllowed.
        """
        webhook = self.get(webhook_id)
        keep = timedelta(hours=change.old_for_hours)
        webhook.old_secret = webhook.secret if keep else None
        webhook.old_secret_until = utc_now() + keep if keep else None
        webhook.secret = new_secret()
        self._log("webhook.secret", webhook)
        return MadeWebhook(**dict(webhook_out(webhook)), secret=webhook.secret)

    def delete(self, webhook_id: uuid.UUID) -> None:
        """Raises NotFound, NotAllowed."""
        webhook = self.get(webhook_id)
        self._session.delete(webhook)
        self._log("webhook.delete", webhook)

    def test(self, webhook_id: uuid.UUID) -> WebhookDelivery:
        """A message that is tried once. Raises NotFound, NotAllowed; Conflict while one waits."""
        webhook = self.get(webhook_id)
        waiting = select(WebhookDelivery.id).where(
            WebhookDelivery.webhook_id == webhook.id,
            WebhookDelivery.kind == TEST,
            WebhookDelivery.state == "pending",
        )
        if self._session.scalar(waiting.limit(1)) is not None:
            raise Conflict("a test of this webhook is under way; look at its deliveries")
        payload = {"type": TEST, "timestamp": utc_now().isoformat(), "data": {}}
        delivery = WebhookDelivery(webhook_id=webhook.id, kind=TEST, payload=payload)
        self._session.add(delivery)
        self._session.flush()
        self._log("webhook.test", webhook)
        return delivery

    def redeliver(self, webhook_id: uuid.UUID, delivery_id: int) -> WebhookDelivery:
        """The same message again, with all its tries. Raises NotFound, NotAllowed, Conflict."""
        webhook = self.get(webhook_id)
        mine = select(WebhookDelivery).where(
            WebhookDelivery.id == delivery_id, WebhookDelivery.webhook_id == webhook.id
        )
        delivery = self._session.scalar(mine.with_for_update())
        if delivery is None:
            raise NotFound("this webhook has no such delivery")
        if delivery.state == "pending":
            raise Conflict("it is not over yet: see next_at for its next try")
        delivery.state, delivery.attempts = "pending", 0
        delivery.next_at, delivery.delivered_at = utc_now(), None
        self._log("webhook.redeliver", webhook)
        return delivery

    def _check(self, url: str) -> None:
        if problems := check_url(url, to_private=self._settings.webhooks_to_private):
            raise SpecError(problems)

    def _log(self, action: str, webhook: Webhook) -> None:
        host = urlsplit(webhook.url).hostname
        audit_log.log(self._session, self._who, action, webhook.team_id, webhook.id, host=host)


def webhook_out(webhook: Webhook) -> WebhookOut:
    """A webhook as it is shown."""
    return WebhookOut.model_validate(webhook, from_attributes=True)


def delivery_out(delivery: WebhookDelivery) -> DeliveryOut:
    """A delivery as it is shown."""
    shown = {
        name: getattr(delivery, name) for name in DeliveryOut.model_fields if name != "campaign"
    }
    return DeliveryOut(**shown, campaign=delivery.campaign_id)
