"""Campaigns that search go on, round by round, until every subject has a verdict."""

from __future__ import annotations

import uuid
from typing import Final

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session, sessionmaker
from weir_engine.states import OPEN

from weir_orchestrator.db import Campaign, Run
from weir_orchestrator.housekeeping.next_round import SEARCHED, write_next_round
from weir_orchestrator.objects import ObjectStore
from weir_orchestrator.settings import Settings

__all__ = ["Searches"]

_SEARCHING: Final = (
    select(
        Campaign.id,
        func.count(case((Run.state.not_in(OPEN), 1))),
        func.count(case((Run.state.in_(OPEN), 1))),
    )
    .outerjoin(Run, Run.campaign_id == Campaign.id)
    .where(
        Campaign.searching,
        Campaign.state.in_(SEARCHED),
        Campaign.expanded >= Campaign.run_count,
    )
    .group_by(Campaign.id)
)
"""Campaigns under way that search, and how many of their runs have ended, and have not."""


class Searches:
    """Remembers how many runs of a campaign had ended at the last look: no more tell no more."""

    def __init__(self) -> None:
        self._seen: dict[uuid.UUID, int] = {}

    def go_on(
        self, sessions: sessionmaker[Session], objects: ObjectStore, settings: Settings
    ) -> bool:
        """Queue what comes next, or end the search; whether any campaign went on."""
        with sessions() as session:
            found = {one: (ended, left) for one, ended, left in session.execute(_SEARCHING)}
        moved = False
        for campaign_id, (ended, left) in found.items():
            # Where none is left, this is all that may move it, whatever was seen before.
            if left and self._seen.get(campaign_id) == ended:
                continue
            if write_next_round(sessions, objects, settings, campaign_id):
                moved = True
                self._seen.pop(campaign_id, None)  # more may follow at once
            else:
                self._seen[campaign_id] = ended
        self._seen = {one: self._seen[one] for one in found if one in self._seen}
        return moved
