"""Pausing, resuming, cancelling, doing again, deleting: what a campaign's state allows.

expanding -> active -> finished       paused: from and back to expanding or active
expanding, active, paused -> cancelled       finished, cancelled -> active by doing again
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from sqlalchemy import ColumnElement, and_, delete, select, update
from sqlalchemy.orm import Session, aliased
from weir_orchestrator.db import GOING_ON, Campaign, Run, utc_now
from weir_orchestrator.errors import Conflict
from weir_orchestrator.submission.cancelling import cancel_queued, has_queued
from weir_orchestrator.submission.ending import settle, tell_state
from weir_orchestrator.work.ending import OPEN, end_runs

__all__ = ["cancel", "pause", "remove", "rerun", "resume"]

_ENDED: Final = ("finished", "cancelled", "refused")


def pause(session: Session, campaign: Campaign) -> None:
    """No further run of it is started. Raises Conflict."""
    _require(campaign, GOING_ON, "paused")
    _move(session, campaign, "paused")


def resume(session: Session, campaign: Campaign) -> None:
    """Raises Conflict."""
    _require(campaign, GOING_ON, "resumed")
    if campaign.state == "paused":
        _move(session, campaign, _under_way(campaign))
        settle(session, campaign)


def cancel(session: Session, campaign: Campaign) -> None:
    """End its runs; finished are those that run and that another campaign waits for, too.

    Of many that have not begun, some; the housekeeper ends the others. Raises Conflict.
    """
    _require(campaign, GOING_ON, "cancelled")
    campaign.ended_at = utc_now()
    _move(session, campaign, "cancelled")
    end_runs(session, _only_here(campaign), ("running",), "cancelled", "the campaign was cancelled")
    cancel_queued(session, campaign)


def rerun(session: Session, campaign: Campaign, only: Collection[str]) -> int:
    """Queue runs again that ended in one of these states; how many. Raises Conflict."""
    _require(campaign, ("active", "paused", "finished", "cancelled"), "run again")
    if campaign.state == "cancelled" and "cancelled" not in only and has_queued(session, campaign):
        raise Conflict("its last runs are still being cancelled; try again in a moment")
    again = (
        update(Run)
        .where(Run.campaign_id == campaign.id, Run.state.in_(only))
        .values(
            state="queued",
            replaces=Run.state == "invalid",
            reason="",
            attempts=0,
            result_id=None,
            wall_s=None,
            queued_at=utc_now(),
            started_at=None,
            ended_at=None,
        )
    )
    queued = int(session.execute(again).rowcount)  # type: ignore[attr-defined]
    unwritten = "cancelled" in only and campaign.expanded < campaign.run_count
    if queued or unwritten:
        campaign.counts = campaign.ended_at = None
        if campaign.state in _ENDED:
            if not unwritten:
                campaign.run_count = campaign.expanded
            _move(session, campaign, _under_way(campaign))
    return queued


def remove(session: Session, campaign: Campaign) -> None:
    """Forget a campaign and its runs; results stay for whoever shares them. Raises Conflict."""
    _require(campaign, _ENDED, "deleted")
    running = select(Run.id).where(Run.campaign_id == campaign.id, Run.state == "running")
    if session.scalar(running.limit(1)) is not None:
        raise Conflict("some of its runs are still being finished; try again in a moment")
    session.execute(delete(Campaign).where(Campaign.id == campaign.id))


def _only_here(campaign: Campaign) -> ColumnElement[bool]:
    """Its runs that run, and that no other campaign waits for."""
    other = aliased(Run)
    elsewhere = (
        select(other.id)
        .join(Campaign, Campaign.id == other.campaign_id)
        .where(other.key == Run.key, Campaign.id != campaign.id)
        .where(other.state.in_(OPEN), Campaign.state.in_(GOING_ON))
    )
    mine = (Run.campaign_id == campaign.id, Run.state == "running")
    return and_(*mine, ~elsewhere.correlate(Run).exists())


def _under_way(campaign: Campaign) -> str:
    return "active" if campaign.expanded >= campaign.run_count else "expanding"


def _move(session: Session, campaign: Campaign, state: str) -> None:
    if campaign.state != state:
        campaign.state = state
        tell_state(session, campaign)
    session.flush()


def _require(campaign: Campaign, states: Collection[str], deed: str) -> None:
    if campaign.state not in states:
        allowed = ", ".join(states)
        raise Conflict(f"the campaign is {campaign.state}; {deed} is what is {allowed}")
