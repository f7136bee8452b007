"""Ending the runs of campaigns that were cancelled or refused, some at a time."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Select, select, update
from sqlalchemy.orm import Session, sessionmaker

from weir_orchestrator.db import Campaign, Run, finds, utc_now
from weir_orchestrator.submission.ending import settle

__all__ = ["CHUNK_RUNS", "cancel_queued", "cancel_some", "has_queued"]

CHUNK_RUNS = 5_000
_REASONS: Final = {
    "cancelled": "the campaign was cancelled",
    "refused": "the campaign was refused",
}
_LEFT: Final = select(Campaign).where(
    Campaign.state.in_(_REASONS),
    Campaign.counts.is_(None),
    select(Run.id).where(Run.campaign_id == Campaign.id, Run.state == "queued").exists(),
)


def cancel_queued(session: Session, campaign: Campaign) -> bool:
    """End some runs that have not begun, and with the last of them the campaign.

    Call it with the campaign's row locked. Whether more are left, for `cancel_some`.
    """
    some = _queued(campaign).order_by(Run.position).limit(CHUNK_RUNS)
    ended = session.scalars(
        update(Run)
        .where(Run.id.in_(some))
        .values(state="cancelled", reason=_REASONS[campaign.state], ended_at=utc_now())
        .returning(Run.id),
        execution_options={"synchronize_session": False},
    ).all()
    if len(ended) == CHUNK_RUNS and has_queued(session, campaign):
        return True
    settle(session, campaign)
    return False


def cancel_some(sessions: sessionmaker[Session]) -> bool:
    """Go on with a campaign of which runs are left; False when there is none."""
    if not finds(sessions, _LEFT):
        return False
    with sessions.begin() as session:
        found = session.scalar(_LEFT.limit(1).with_for_update(skip_locked=True))
        if found is None:
            return False
        cancel_queued(session, found)
        return True


def has_queued(session: Session, campaign: Campaign) -> bool:
    """Whether runs of it have not begun."""
    return session.scalar(_queued(campaign).limit(1)) is not None


def _queued(campaign: Campaign) -> Select[int]:
    return select(Run.id).where(Run.campaign_id == campaign.id, Run.state == "queued")
