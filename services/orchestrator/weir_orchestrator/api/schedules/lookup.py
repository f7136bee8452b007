"""Schedules, and campaigns that they are to use, as a request names them."""

from __future__ import annotations

import uuid

from sqlalchemy.orm import Session

from weir_orchestrator.api.access import Principal, Role
from weir_orchestrator.db import Campaign, Schedule
from weir_orchestrator.errors import NotFound

__all__ = ["campaign_of", "schedule_of"]


def schedule_of(
    session: Session, who: Principal, schedule_id: uuid.UUID, needed: Role = "read"
) -> Schedule:
    """One of the asker's teams. Raises NotFound, NotAllowed."""
    found = session.get(Schedule, schedule_id)
    who.require(found.team_id if found else None, needed, "schedule")
    assert found is not None
    return found


def campaign_of(
    session: Session, team_id: uuid.UUID, campaign_id: uuid.UUID | None, field: str
) -> Campaign:
    """A campaign of the schedule's team. field: which named it. Raises NotFound."""
    found = session.get(Campaign, campaign_id)
    if found is None or found.team_id != team_id:
        raise NotFound(f"{field}: no such campaign, or it is another team's")
    return found
