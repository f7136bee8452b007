"""Adding an event."""

from __future__ import annotations

import uuid
from typing import Final

from sqlalchemy.orm import Session

from weir_orchestrator.db import Event
from weir_orchestrator.db.base import Json

__all__ = ["KINDS", "emit"]

KINDS: Final = (
    "campaign.state",
    "campaign.trouble",
    "run.started",
    "run.ended",
    "schedule.tick",
    "webhook.delivery",
)


def emit(
    session: Session, team_id: uuid.UUID, campaign_id: uuid.UUID | None, kind: str, data: Json
) -> None:
    """Add an event (docs/platform.md lists the kinds); watchers see it once it is committed."""
    session.add(Event(team_id=team_id, campaign_id=campaign_id, kind=kind, data=data))
