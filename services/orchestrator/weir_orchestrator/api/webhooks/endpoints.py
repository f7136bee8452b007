"""/teams/{team}/webhooks and /webhooks/{webhook}; all for administrators of the team."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Depends, Path, Request, Response
from sqlalchemy import select

from weir_orchestrator.api.dependencies import AsksAs, OfTeam, SessionOf, SettingsOf
from weir_orchestrator.api.etag import UNCHANGED, answer
from weir_orchestrator.api.ids import WebhookId
from weir_orchestrator.api.paging import Cursor, Limit, Page, page_of
from weir_orchestrator.api.problems import documented
from weir_orchestrator.api.webhooks.schemas import (
    DeliveryOut,
    MadeWebhook,
    NewWebhook,
    SecretChange,
    WebhookChange,
    WebhookOut,
)
from weir_orchestrator.api.webhooks.service import Webhooks, delivery_out, webhook_out
from weir_orchestrator.db import Webhook, WebhookDelivery
from weir_orchestrator.errors import Conflict, NotAllowed, NotFound, NotSignedIn, Unprocessable

__all__ = ["router"]

router = APIRouter(tags=["webhooks"])

_REFUSALS: Final = (NotSignedIn, NotAllowed, NotFound, Unprocessable)


async def _webhooks(session: SessionOf, settings: SettingsOf, who: AsksAs) -> Webhooks:
    return Webhooks(session, settings, who)


Here = Annotated[Webhooks, Depends(_webhooks)]
DeliveryId = Annotated[
    int, Path(ge=1, le=2**53, alias="delivery", description="The message's id.", examples=[17])
]


@router.get("/teams/{team}/webhooks", responses=documented(*_REFUSALS))
def list_webhooks(
    here: Here, session: SessionOf, team: OfTeam, limit: Limit = 100, cursor: Cursor = None
) -> Page[WebhookOut]:
    """The team's webhooks, oldest first."""
    here.require(team)
    query = select(Webhook).where(Webhook.team_id == team.id)
    query = query.order_by(Webhook.created_at, Webhook.id)
    rows, following = page_of(session, query, limit, cursor)
    return Page(items=[webhook_out(webhook) for (webhook,) in rows], next=following)


@router.post("/teams/{team}/webhooks", status_code=201, responses=documented(*_REFUSALS, Conflict))
def make_webhook(here: Here, team: OfTeam, new: NewWebhook) -> MadeWebhook:
    """Make a webhook; the secret that signs its messages is in this answer and never again."""
    return here.make(team, new)


@router.get("/webhooks/{webhook}", responses=documented(*_REFUSALS))
def show_webhook(here: Here, webhook: WebhookId) -> WebhookOut:
    """A webhook."""
    return webhook_out(here.get(webhook))


@router.patch("/webhooks/{webhook}", responses=documented(*_REFUSALS))
def change_webhook(here: Here, webhook: WebhookId, change: WebhookChange) -> WebhookOut:
    """Change a webhook, or switch it on or off; what is pending goes to the new address."""
    return webhook_out(here.change(webhook, change))


@router.post("/webhooks/{webhook}/secret", responses=documented(*_REFUSALS))
def change_webhook_secret(here: Here, webhook: WebhookId, change: SecretChange) -> MadeWebhook:
    """Give it a new secret, told in this answer and never again.

    Until `old_secret_until`, messages carry a signature by the old one, too.
    """
    return here.change_secret(webhook, change)


@router.delete("/webhooks/{webhook}", status_code=204, responses=documented(*_REFUSALS))
def delete_webhook(here: Here, webhook: WebhookId) -> None:
    """Delete a webhook and its deliveries."""
    here.delete(webhook)


@router.post(
    "/webhooks/{webhook}/test", status_code=201, responses=documented(*_REFUSALS, Conflict)
)
def try_webhook(here: Here, webhook: WebhookId) -> DeliveryOut:
    """Send a test message, once, also while the webhook is disabled."""
    return delivery_out(here.test(webhook))


@router.get(
    "/webhooks/{webhook}/deliveries",
    response_model=Page[DeliveryOut],
    responses=documented(*_REFUSALS) | UNCHANGED,
)
def list_deliveries(
    request: Request,
    here: Here,
    session: SessionOf,
    webhook: WebhookId,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    """What was sent and what became of it, newest first."""
    found = here.get(webhook)
    query = select(WebhookDelivery).where(WebhookDelivery.webhook_id == found.id)
    rows, following = page_of(session, query.order_by(WebhookDelivery.id.desc()), limit, cursor)
    items = [delivery_out(delivery) for (delivery,) in rows]
    return answer(request, Page[DeliveryOut](items=items, next=following))


@router.post(
    "/webhooks/{webhook}/deliveries/{delivery}/redeliver",
    responses=documented(*_REFUSALS, Conflict),
)
def redeliver(here: Here, webhook: WebhookId, delivery: DeliveryId) -> DeliveryOut:
    """Send a message again that was delivered or has failed; its webhook-id stays."""
    return delivery_out(here.redeliver(webhook, delivery))
