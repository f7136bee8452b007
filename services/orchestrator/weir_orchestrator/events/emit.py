"""Adding an event."""

from __future__ import annotations

import uuid
from typing import Final

from sqlalchemy.orm import Session

from weir_orchestrator.db import Event, utc_now
from weir_orchestrator.db.base import Json
from weir_orchestrator.db.columns import insert_columns

__all__ = ["KINDS", "emit"]

KINDS: Final = (
    "campaign.judged",
    "campaign.state",
    "campaign.trouble",
    "run.started",
    "run.ended",
    "schedule.tick",
    "webhook.delivery",
)


def emit(
    session: Session, team_id: uuid.UUID, campaign_id: uuid.UUID | None, kind: str, *data: Json
) -> None:
    """Add events of a kind (docs/platform.md lists them), one for each of `data`.

    Watchers see them once they are committed.
    """
    of = {"team_id": team_id, "campaign_id": campaign_id, "kind": kind, "at": utc_now()}
    insert_columns(session, Event, of, {"data": data})
