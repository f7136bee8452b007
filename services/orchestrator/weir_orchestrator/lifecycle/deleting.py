"""Deleting campaigns, of which those with many runs go some at a time."""

from __future__ import annotations

from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.orm import Session, sessionmaker

from weir_orchestrator.db import Campaign, Event, Run, finds
from weir_orchestrator.errors import Conflict
from weir_orchestrator.lifecycle import table
from weir_orchestrator.lifecycle.campaigns import move
from weir_orchestrator.lifecycle.steering import require

__all__ = ["CHUNK_ROWS", "delete_some", "remove"]

CHUNK_ROWS: Final = 5_000
_DELETING: Final = select(Campaign).where(Campaign.state.in_(table.DELETE.new))


def remove(session: Session, campaign: Campaign, at_most: int = CHUNK_ROWS) -> None:
    """Forget a campaign and its runs; results stay for whoever shares them. Raises Conflict.

    Call it with its row locked. at_most: runs that are deleted at once; of one with more,
    `delete_some` deletes all. Nothing happens to one that is being deleted.
    """
    if campaign.state in table.DELETE.new:
        return
    require(campaign, table.DELETE.old, "deleted")
    running = select(Run.id).where(Run.campaign_id == campaign.id, Run.state == "running")
    if session.scalar(running.limit(1)) is not None:
        raise Conflict("some of its runs are still being finished; try again in a moment")
    if campaign.expanded > at_most:
        move(session, campaign, table.DELETE)
    else:
        session.execute(delete(Campaign).where(Campaign.id == campaign.id))


def delete_some(sessions: sessionmaker[Session], at_most: int = CHUNK_ROWS) -> bool:
    """Go on with a campaign that is being deleted; False when there is none."""
    if not finds(sessions, _DELETING):
        return False
    with sessions.begin() as session:
        campaign = session.scalar(_DELETING.limit(1).with_for_update(skip_locked=True))
        if campaign is None:
            return False
        for model in (Run, Event):
            some = select(model.id).where(model.campaign_id == campaign.id).limit(at_most)
            gone = session.execute(delete(model).where(model.id.in_(some)))
            if gone.rowcount:  # type: ignore[attr-defined]
                return True
        session.execute(delete(Campaign).where(Campaign.id == campaign.id))
        return True
