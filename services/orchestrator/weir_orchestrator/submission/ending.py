"""When a campaign is over."""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from weir_orchestrator import events
from weir_orchestrator.db import Campaign, Run, utc_now

__all__ = ["count_states", "settle", "tell_state"]

_OPEN = ("pending", "queued", "running")


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


def settle(session: Session, campaign: Campaign) -> None:
    """End a campaign whose last run has ended; call it with the campaign's row locked.

    Of one that was cancelled or refused before, the counts are stored when its last run ended.
    """
    ended = campaign.state in {"cancelled", "refused"}
    if campaign.counts is not None or (campaign.expanded < campaign.run_count and not ended):
        return
    some = select(Run.id).where(Run.campaign_id == campaign.id, Run.state.in_(_OPEN)).limit(1)
    if session.scalar(some) is not None:
        return
    campaign.counts = count_states(session, [campaign.id])[campaign.id]
    campaign.ended_at = utc_now()
    if not ended:
        campaign.state = "finished"
        tell_state(session, campaign)


def tell_state(session: Session, campaign: Campaign) -> None:
    """Let watchers know of a campaign's state."""
    data = {"state": campaign.state}
    events.emit(session, campaign.team_id, campaign.id, "campaign.state", data)
