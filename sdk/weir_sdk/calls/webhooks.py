"""Webhooks of a team, for its administrators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal
from uuid import UUID

from weir_sdk.call import Call, Json, Page, asked, nothing, path
from weir_sdk.models import DeliveryOut, MadeWebhook, WebhookOut

__all__ = [
    "Kind",
    "change_webhook",
    "change_webhook_secret",
    "delete_webhook",
    "list_deliveries",
    "list_webhooks",
    "make_webhook",
    "redeliver",
    "show_webhook",
    "try_webhook",
]

Kind = Literal["campaign.ended", "campaign.worse", "run.failed", "schedule.failed"]


def list_webhooks(team: str, limit: int = 500) -> Call[Page[WebhookOut]]:
    """A team's webhooks, oldest first."""
    where = path("teams", team, "webhooks")
    return Call("GET", where, Json(Page[WebhookOut]), asked(limit=limit))


def make_webhook(
    team: str,
    url: str,
    events: Sequence[Kind] = ("campaign.ended", "schedule.failed"),
    enabled: bool = True,
) -> Call[MadeWebhook]:
    """Make a webhook; the secret that signs its messages is told this once."""
    given = {"url": url, "events": list(events), "enabled": enabled}
    return Call("POST", path("teams", team, "webhooks"), Json(MadeWebhook), json=given)


def show_webhook(webhook: UUID | str) -> Call[WebhookOut]:
    """A webhook."""
    return Call("GET", path("webhooks", webhook), Json(WebhookOut))


def change_webhook(webhook: UUID | str, **changes: Any) -> Call[WebhookOut]:
    """Change what `make_webhook` takes; enabled=False switches it off."""
    return Call("PATCH", path("webhooks", webhook), Json(WebhookOut), json=changes)


def change_webhook_secret(webhook: UUID | str, old_for_hours: int = 24) -> Call[MadeWebhook]:
    """Give it a new secret, told this once; the one so far signs beside it for so long."""
    where = path("webhooks", webhook, "secret")
    return Call("POST", where, Json(MadeWebhook), json={"old_for_hours": old_for_hours})


def delete_webhook(webhook: UUID | str) -> Call[None]:
    """Delete a webhook and its deliveries."""
    return Call("DELETE", path("webhooks", webhook), nothing)


def try_webhook(webhook: UUID | str) -> Call[DeliveryOut]:
    """Send a test message, once, also while it is disabled."""
    return Call("POST", path("webhooks", webhook, "test"), Json(DeliveryOut))


def list_deliveries(webhook: UUID | str, limit: int = 500) -> Call[Page[DeliveryOut]]:
    """What was sent and what became of it, newest first."""
    where = path("webhooks", webhook, "deliveries")
    return Call("GET", where, Json(Page[DeliveryOut]), asked(limit=limit))


def redeliver(webhook: UUID | str, delivery: int) -> Call[DeliveryOut]:
    """Send again a message that was delivered or has failed."""
    where = path("webhooks", webhook, "deliveries", delivery, "redeliver")
    return Call("POST", where, Json(DeliveryOut))
