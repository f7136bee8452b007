"""Webhooks as the API shows and takes them."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BaseModel, Field

from weir_orchestrator.api.request_body import RequestBody, Switch, WholeNumber
from weir_orchestrator.webhooks import KINDS

__all__ = [
    "DeliveryOut",
    "MadeWebhook",
    "NewWebhook",
    "SecretChange",
    "WebhookChange",
    "WebhookOut",
]

Kind = Literal["campaign.ended", "campaign.worse", "run.failed", "schedule.failed"]
assert get_args(Kind) == KINDS

Url = Annotated[
    str,
    Field(
        min_length=1,
        max_length=2000,
        pattern=r"^[!-~]+$",
        examples=["https://ci.example.org/hooks/weir"],
    ),
]
Kinds = Annotated[
    list[Kind],
    Field(min_length=1, max_length=10, examples=[["campaign.ended"]]),
    AfterValidator(lambda kinds: list(dict.fromkeys(kinds))),
]


class NewWebhook(RequestBody):
    """A webhook to make."""

    url: Url = Field(description="Where messages go.")
    events: Kinds = Field(
        default=["campaign.ended", "schedule.failed"], description="Of which kinds."
    )
    enabled: Switch = Field(default=True, description="False: none are sent.")


class WebhookChange(RequestBody):
    """What to change; what is left out or null stays."""

    url: Url | None = Field(default=None, description="Where messages go.")
    events: Kinds | None = Field(default=None, description="Of which kinds.")
    enabled: Switch | None = Field(default=None, description="False: none are sent.")


class SecretChange(RequestBody):
    """How long the secret so far signs, too, so that receivers can change theirs meanwhile."""

    old_for_hours: WholeNumber = Field(
        default=24,
        ge=0,
        le=7 * 24,
        description="0: at once no more, as for one that leaked.",
        examples=[24],
    )


class WebhookOut(BaseModel):
    """A webhook, without its secret."""

    id: uuid.UUID = Field(description="Of the webhook.")
    url: str = Field(description="Where messages go.")
    events: list[Kind] = Field(description="Of which kinds.")
    enabled: bool = Field(description="False: none are sent.")
    created_by: uuid.UUID | None = Field(description="User; null where that one is gone.")
    created_at: datetime = Field(description="When it was made.")
    old_secret_until: datetime | None = Field(
        description="Until then messages are signed by the secret before this one, too."
    )


class MadeWebhook(WebhookOut):
    """A webhook with a new secret."""

    secret: str = Field(examples=["whsec_..."], description="Signs its messages; told this once.")


class DeliveryOut(BaseModel):
    """A message and what became of it."""

    id: int = Field(description="Larger for later ones.")
    kind: Kind | Literal["test"] = Field(description="What the message is about.")
    campaign: uuid.UUID | None = Field(description="Which it is about; null: none.")
    state: Literal["pending", "delivered", "failed"] = Field(
        description="pending: tried (again) at `next_at`; failed: not tried again unless asked for."
    )
    attempts: int = Field(description="Tries so far.")
    created_at: datetime = Field(description="When the thing happened.")
    next_at: datetime | None = Field(description="Of the next try; null: there is none.")
    delivered_at: datetime | None = Field(description="When it was taken; null: not yet.")
    status_code: int | None = Field(
        description="That of the last try's answer; null: there was none."
    )
    error: str = Field(description="Of the last try; empty: none.")
    payload: dict[str, Any] = Field(description="The message.")
