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

Kind = Literal["campaign.ended", "run.failed", "schedule.failed"]
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

    url: Url
    events: Kinds = Field(default=["campaign.ended", "schedule.failed"])
    enabled: Switch = True


class WebhookChange(RequestBody):
    """What to change; what is left out or null stays."""

    url: Url | None = None
    events: Kinds | None = None
    enabled: Switch | None = None


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

    id: uuid.UUID
    url: str
    events: list[Kind]
    enabled: bool
    created_by: uuid.UUID | None
    created_at: datetime
    old_secret_until: datetime | None = Field(
        description="Until then messages are signed by the secret before this one, too."
    )


class MadeWebhook(WebhookOut):
    """A webhook with a new secret, which signs its messages and is told this once."""

    secret: str = Field(examples=["whsec_..."])


class DeliveryOut(BaseModel):
    """A message and what became of it. status_code, error: of the last try.

    pending: it is tried (again) at `next_at`; failed: it is not, unless asked for.
    """

    id: int
    kind: Kind | Literal["test"]
    campaign: uuid.UUID | None
    state: Literal["pending", "delivered", "failed"]
    attempts: int
    created_at: datetime
    next_at: datetime | None
    delivered_at: datetime | None
    status_code: int | None
    error: str
    payload: dict[str, Any]
