"""Moving campaigns from state to state, and settling those whose runs have all ended."""

from __future__ import annotations

import uuid
from typing import Final

from sqlalchemy import and_, or_, select
from sqlalchemy.orm import Session

from weir_orchestrator.db import Campaign, any_open, utc_now
from weir_orchestrator.errors import Conflict
from weir_orchestrator.events import emit
from weir_orchestrator.lifecycle import table
from weir_orchestrator.lifecycle.counting import count_states

__all__ = ["begin", "expanded", "move", "over", "settle", "settle_if_over"]

_OVER: Final = and_(
    or_(
        and_(
            Campaign.state.in_(table.FINISH.old),
            Campaign.expanded == Campaign.run_count,
            ~Campaign.searching,
        ),
        and_(Campaign.state.in_(table.ENDED_EARLY), Campaign.counts.is_(None)),
    ),
    ~any_open(),
)
_ALL_OVER: Final = select(Campaign.id).where(_OVER)


def move(session: Session, campaign: Campaign, by: table.Transition, new: str = "") -> None:
    """Take a campaign, whose row is locked, to a state and tell of it.

    new: where the transition leads to several. Raises Conflict where it does not lead there.
    """
    new = new or by.new[0]
    if not by.allows(campaign.state, new):
        raise Conflict(
            f"the campaign is {campaign.state}: {by.action} is for what is "
            f"{', '.join(filter(None, by.old))}"
        )
    _set(session, campaign, by, new)


def begin(session: Session, campaign: Campaign) -> None:
    """Store a campaign that was submitted."""
    session.add(campaign)
    _set(session, campaign, table.SUBMIT, table.SUBMIT.new[0])


def expanded(session: Session, campaign: Campaign) -> None:
    """All its runs are written. Call it with the campaign's row locked."""
    move(session, campaign, table.EXPAND)
    settle(session, campaign)


def settle(session: Session, campaign: Campaign) -> None:
    """End a campaign whose last run has ended; call it with the campaign's row locked.

    One that searches waits for the runs that follow. Of one that was cancelled or refused before,
    the counts are stored when its last run ended.
    """
    ended = campaign.state in table.ENDED_EARLY
    more = campaign.searching or campaign.expanded < campaign.run_count
    if campaign.counts is not None or (more and not ended):
        return
    if session.scalar(select(any_open()).where(Campaign.id == campaign.id)):
        return
    campaign.counts = count_states(session, [campaign.id])[campaign.id]
    campaign.ended_at = utc_now()
    if not ended:
        move(session, campaign, table.FINISH)


def over(session: Session) -> list[uuid.UUID]:
    """Campaigns whose runs have all ended, which nobody has noted yet."""
    return list(session.scalars(_ALL_OVER))


def settle_if_over(session: Session, campaign_id: uuid.UUID) -> None:
    """Settle a campaign whose runs have all ended; nothing where some have not.

    Counts of a campaign that finished earlier are brought up to date.
    """
    found = session.scalars(
        select(Campaign).where(
            Campaign.id == campaign_id, or_(_OVER, Campaign.state.in_(table.FINISH.new))
        )
    ).first()
    if found is None:
        return
    session.refresh(found, with_for_update={"key_share": True})
    if found.state in table.FINISH.new:
        found.counts = count_states(session, [campaign_id])[campaign_id]
    else:
        settle(session, found)


def _set(session: Session, campaign: Campaign, by: table.Transition, new: str) -> None:
    campaign.state = new
    session.flush()
    assert by.event is not None
    emit(session, campaign.team_id, campaign.id, by.event, {"state": new})
