"""What its members do to a campaign: pause, resume, cancel, run again.

Call these with the campaign's row locked.
"""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import ColumnElement, and_, delete, select
from sqlalchemy.orm import Session, aliased
from weir_engine.states import OPEN

from weir_orchestrator.db import Campaign, Night, Run, utc_now
from weir_orchestrator.errors import Conflict
from weir_orchestrator.lifecycle import table
from weir_orchestrator.lifecycle.campaigns import move, settle
from weir_orchestrator.lifecycle.cancelling import CHUNK_RUNS, cancel_queued, has_queued
from weir_orchestrator.lifecycle.runs import end_runs, requeue_runs

__all__ = ["cancel", "pause", "require", "rerun", "resume"]


def pause(session: Session, campaign: Campaign) -> None:
    """No further run of it is started. Raises Conflict."""
    require(campaign, table.GOING_ON, "paused")
    if campaign.state not in table.PAUSE.new:
        move(session, campaign, table.PAUSE)


def resume(session: Session, campaign: Campaign) -> None:
    """Raises Conflict."""
    require(campaign, table.GOING_ON, "resumed")
    if campaign.state in table.RESUME.old:
        move(session, campaign, table.RESUME, _under_way(campaign))
        settle(session, campaign)


def cancel(session: Session, campaign: Campaign, at_most: int = CHUNK_RUNS) -> None:
    """End its runs; finished are those that run and that another campaign waits for, too.

    Of those that have not begun, so many; the housekeeper ends the others. Raises Conflict.
    """
    require(campaign, table.CANCEL.old, "cancelled")
    campaign.ended_at = utc_now()
    move(session, campaign, table.CANCEL)
    end_runs(session, _only_here(campaign), table.STOP, "the campaign was cancelled")
    cancel_queued(session, campaign, at_most)


def rerun(session: Session, campaign: Campaign, only: Collection[str]) -> int:
    """Queue runs again that ended in one of these states; how many. Raises Conflict."""
    require(campaign, ("active", "paused", *table.RERUN.old), "run again")
    if campaign.state == "cancelled" and "cancelled" not in only and has_queued(session, campaign):
        raise Conflict("its last runs are still being cancelled; try again in a moment")
    queued = requeue_runs(session, campaign, only)
    unwritten = "cancelled" in only and campaign.expanded < campaign.run_count
    goes_on = "cancelled" in only and campaign.searching
    if queued or unwritten or goes_on:
        # What was told of a level that failed is told anew: another one may follow.
        campaign.searching = bool(campaign.spec.get("search"))
        campaign.counts = campaign.ended_at = None
        session.execute(delete(Night).where(Night.campaign_id == campaign.id))
        if campaign.state in table.RERUN.old:
            if not unwritten:
                campaign.run_count = campaign.expanded
            move(session, campaign, table.RERUN, _under_way(campaign))
    return queued


def _only_here(campaign: Campaign) -> ColumnElement[bool]:
    """Its runs that run, and that no other campaign waits for."""
    other = aliased(Run)
    elsewhere = (
        select(other.id)
        .join(Campaign, Campaign.id == other.campaign_id)
        .where(other.key == Run.key, Campaign.id != campaign.id)
        .where(other.state.in_(OPEN), Campaign.state.in_(table.GOING_ON))
    )
    mine = (Run.campaign_id == campaign.id, Run.state == "running")
    return and_(*mine, ~elsewhere.correlate(Run).exists())


def _under_way(campaign: Campaign) -> str:
    return "active" if campaign.expanded >= campaign.run_count else "expanding"


def require(campaign: Campaign, states: Collection[str | None], action: str) -> None:
    """Raises Conflict where a campaign is in none of these states."""
    if campaign.state not in states:
        allowed = ", ".join(filter(None, states))
        raise Conflict(f"the campaign is {campaign.state}; {action} is what is {allowed}")
