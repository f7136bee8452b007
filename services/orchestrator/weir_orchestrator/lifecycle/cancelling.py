"""Ending the runs of campaigns that were cancelled, refused or need no more, some at a time."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Final

from sqlalchemy import Select, select
from sqlalchemy.orm import Session, sessionmaker
from weir.errors import Problem

from weir_orchestrator.db import IS_QUEUED, Campaign, Run, any_queued, finds, utc_now
from weir_orchestrator.errors import MOST_PROBLEMS
from weir_orchestrator.lifecycle import table
from weir_orchestrator.lifecycle.campaigns import move, settle
from weir_orchestrator.lifecycle.runs import drop_runs

__all__ = ["CHUNK_RUNS", "cancel_queued", "cancel_some", "conclude", "has_queued", "refuse"]

CHUNK_RUNS: Final = 5_000
_REASONS: Final = {state: f"the campaign was {state}" for state in table.ENDED_EARLY}
_LEFT: Final = select(Campaign).where(
    Campaign.state.in_(_REASONS),
    Campaign.counts.is_(None),
    any_queued(),
)


def refuse(session: Session, campaign: Campaign, problems: Iterable[Problem]) -> None:
    """Its runs cannot be written: those that are there end. Call it with its row locked."""
    campaign.problems = [
        {
            "path": problem.path,
            "value": None if problem.value is None else str(problem.value)[:200],
            "allowed": problem.allowed,
            "remedy": problem.remedy,
        }
        for problem in islice(problems, MOST_PROBLEMS)
    ]
    campaign.ended_at = utc_now()
    move(session, campaign, table.REFUSE)
    cancel_queued(session, campaign)


def conclude(session: Session, campaign: Campaign) -> None:
    """Its question is answered: runs that have not begun are not needed.

    It finishes with the last that runs. Call it with its row locked.
    """
    drop_runs(session, _queued(campaign), "the question was answered before it was needed")
    settle(session, campaign)


def cancel_queued(session: Session, campaign: Campaign, at_most: int = CHUNK_RUNS) -> bool:
    """End some runs that have not begun, and with the last of them the campaign.

    Call it with the campaign's row locked. Whether more are left, for `cancel_some`.
    """
    some = _queued(campaign).order_by(Run.position).limit(at_most)
    dropped = drop_runs(session, some, _REASONS[campaign.state])
    if dropped == at_most and has_queued(session, campaign):
        return True
    settle(session, campaign)
    return False


def cancel_some(sessions: sessionmaker[Session], at_most: int = CHUNK_RUNS) -> bool:
    """Go on with a campaign of which runs are left; False when there is none."""
    if not finds(sessions, _LEFT):
        return False
    with sessions.begin() as session:
        found = session.scalar(_LEFT.limit(1).with_for_update(skip_locked=True))
        if found is None:
            return False
        cancel_queued(session, found, at_most)
        return True


def has_queued(session: Session, campaign: Campaign) -> bool:
    """Whether runs of it have not begun."""
    return session.scalar(_queued(campaign).limit(1)) is not None


def _queued(campaign: Campaign) -> Select[int]:
    return select(Run.id).where(Run.campaign_id == campaign.id, IS_QUEUED)
