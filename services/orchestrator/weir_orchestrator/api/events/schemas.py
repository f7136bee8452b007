"""Events as the API shows them."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any, Literal, get_args

from pydantic import BaseModel, Field

from weir_orchestrator.db import Event
from weir_orchestrator.events import KINDS

__all__ = ["EventOut", "Kind", "event_out"]

Kind = Literal[
    "campaign.state",
    "campaign.trouble",
    "run.started",
    "run.ended",
    "schedule.tick",
    "webhook.delivery",
]
assert get_args(Kind) == KINDS


class EventOut(BaseModel):
    """One thing that happened; docs/platform.md says what `data` has for each kind."""

    id: int
    at: datetime
    kind: Kind
    campaign: uuid.UUID | None
    data: dict[str, Any] = Field(examples=[{"state": "finished"}])


def event_out(event: Event) -> EventOut:
    """An event's row as it is shown."""
    return EventOut.model_validate(
        {
            "id": event.id,
            "at": event.at,
            "kind": event.kind,
            "campaign": event.campaign_id,
            "data": event.data,
        }
    )
