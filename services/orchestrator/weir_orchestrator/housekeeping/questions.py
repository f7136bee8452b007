"""Campaigns that ask something end when it is told, however many replicates are left."""

from __future__ import annotations

import uuid
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session, sessionmaker
from weir_engine.states import OPEN

from weir_orchestrator.db import Campaign, Run
from weir_orchestrator.db.campaigns import asks_question
from weir_orchestrator.lifecycle import conclude
from weir_orchestrator.recorded.question import answer_of

__all__ = ["Questions"]

_ASKING: Final = (
    select(Campaign.id, func.count(Run.id))
    .outerjoin(Run, (Run.campaign_id == Campaign.id) & Run.state.not_in(OPEN))
    .where(
        Campaign.state == "active",
        asks_question(),
    )
    .group_by(Campaign.id)
)
"""Campaigns under way that ask something, and how many of their runs have ended."""


class Questions:
    """Remembers how many runs of a campaign had ended at the last look: no more tell no more."""

    def __init__(self) -> None:
        self._seen: dict[uuid.UUID, int] = {}

    def conclude(self, sessions: sessionmaker[Session]) -> None:
        """End those of which further replicates would say no more."""
        with sessions() as session:
            found = dict(session.execute(_ASKING).all())
        moved = [one for one, ended in found.items() if ended and self._seen.get(one) != ended]
        for campaign_id in moved:
            self._look(sessions, campaign_id)
        self._seen = found

    def _look(self, sessions: sessionmaker[Session], campaign_id: uuid.UUID) -> None:
        with sessions() as session:
            campaign = session.get(Campaign, campaign_id)
            told = campaign and answer_of(session, campaign)
        if not told or not told[1].is_told:
            return
        with sessions.begin() as session:
            locked = session.get(Campaign, campaign_id, with_for_update=True)
            if locked is not None and locked.state == "active":
                conclude(session, locked)
