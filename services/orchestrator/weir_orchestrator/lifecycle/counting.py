"""How many runs of a campaign are in which state."""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from weir_orchestrator.db import Run

__all__ = ["count_states"]


def count_states(
    session: Session, campaign_ids: Iterable[uuid.UUID]
) -> dict[uuid.UUID, dict[str, int]]:
    """Campaign -> state -> number of runs, counted now."""
    ids = list(campaign_ids)
    counts: dict[uuid.UUID, dict[str, int]] = {each: {} for each in ids}
    query = select(Run.campaign_id, Run.state, func.count()).where(Run.campaign_id.in_(ids))
    for campaign_id, state, number in session.execute(query.group_by(Run.campaign_id, Run.state)):
        counts[campaign_id][state] = number
    return counts
