"""Writing the verdict when the last run has ended: campaigns may be deleted, the verdict stays."""

from __future__ import annotations

import uuid
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session, sessionmaker

from weir_orchestrator.db import Campaign, Card, Reproduction, singly, utc_now
from weir_orchestrator.reproductions.tally import tally_of

__all__ = ["conclude_next"]

_DELETED: Final = "their campaign was deleted before they ended"


def conclude_next(sessions: sessionmaker[Session]) -> bool:
    """Conclude those whose campaigns are all over; whether there was one."""
    with singly(sessions)() as session:
        going_on = select(Reproduction.id, Reproduction.campaigns).where(
            Reproduction.ended_at.is_(None)
        )
        found = [made for made, campaigns in session.execute(going_on) if _over(session, campaigns)]
    for made in found:
        with sessions.begin() as session:
            _conclude(session, made)
    return bool(found)


def _over(session: Session, campaigns: list[str]) -> bool:
    """Whether each of them has ended with its counts, or is gone."""
    ids = [uuid.UUID(each) for each in campaigns]
    going_on = select(Campaign.id).where(Campaign.id.in_(ids), Campaign.counts.is_(None))
    return session.scalar(going_on.limit(1)) is None


def _conclude(session: Session, reproduction: uuid.UUID) -> None:
    query = select(Reproduction).where(
        Reproduction.id == reproduction, Reproduction.ended_at.is_(None)
    )
    made = session.scalar(query.with_for_update(skip_locked=True))
    if made is None:
        return
    tally = tally_of(session, made, session.get_one(Card, made.card_id))
    if missing := made.runs - tally.ended:
        tally.failed[_DELETED] += missing
    made.same = tally.same
    made.differing = tally.differing
    made.failed = [list(each) for each in tally.failed.items()]
    made.ended_at = utc_now()
