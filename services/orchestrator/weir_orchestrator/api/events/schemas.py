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
    "campaign.judged",
    "campaign.state",
    "campaign.trouble",
    "run.started",
    "run.ended",
    "schedule.tick",
    "webhook.delivery",
]
assert get_args(Kind) == KINDS


class EventOut(BaseModel):
    """One thing that happened."""

    id: int = Field(description="Larger for later ones; watch on from it with `after`.")
    at: datetime = Field(description="When.")
    kind: Kind = Field(description="What kind of thing.")
    campaign: uuid.UUID | None = Field(description="To which; null: to a schedule or the team.")
    data: dict[str, Any] = Field(
        examples=[{"state": "finished"}], description="By kind; see docs/platform.md."
    )


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
