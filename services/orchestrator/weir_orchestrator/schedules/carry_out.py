"""What happens at one due time: the pinned campaign is submitted, or it is told why not."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from sqlalchemy import select, update
from sqlalchemy.orm import Session, sessionmaker
from weir.errors import SpecError

from weir_orchestrator import events
from weir_orchestrator.db import OPEN_OUTCOMES, Campaign, Schedule, ScheduleTick, Team, utc_now
from weir_orchestrator.errors import QuotaExceeded
from weir_orchestrator.lifecycle import GOING_ON
from weir_orchestrator.objects import ObjectStore
from weir_orchestrator.schedules.subjects import tonight
from weir_orchestrator.settings import Settings
from weir_orchestrator.submission import Submission, submit
from weir_orchestrator.submission.lab import NoLab

__all__ = ["Submitter", "carry_out", "run_now", "tell"]

Submitter = Callable[[Session, ObjectStore, Settings, Team, Submission, uuid.UUID | None], Campaign]
"""Makes a campaign of a submission."""


def run_now(
    session: Session,
    objects: ObjectStore,
    settings: Settings,
    schedule: Schedule,
    submission: Submission,
    by: uuid.UUID | None,
) -> ScheduleTick:
    """Submit a schedule's campaign, or a variant of it, at once, whatever else is going on.

    Raises SpecError, NoLab, QuotaExceeded.
    """
    team = session.get_one(Team, schedule.team_id)
    submission = tonight(session, objects, settings, schedule, submission)
    campaign = submit(session, objects, settings, team, submission, by)
    moment = utc_now()
    tick = ScheduleTick(schedule_id=schedule.id, due_at=moment, outcome="submitted", at=moment)
    tick.detail, tick.campaign_id = "by hand", campaign.id
    session.add(tick)
    tell(session, schedule, tick)
    session.flush()
    return tick


def carry_out(
    sessions: sessionmaker[Session],
    objects: ObjectStore,
    settings: Settings,
    tick_id: int,
    submitter: Submitter,
) -> bool:
    """Carry out an open tick, once whoever else tries; False where it is left as it was."""
    with sessions() as session:
        tick = session.get(ScheduleTick, tick_id)
        schedule = session.get(Schedule, tick.schedule_id) if tick is not None else None
        if tick is None or schedule is None or tick.outcome not in OPEN_OUTCOMES:
            return False
        was = tick.outcome
        if not schedule.enabled:
            return _end(session, schedule, tick, was, "skipped", "the schedule was switched off")
        if schedule.overlap != "parallel" and (name := _going_on(session, schedule)) is not None:
            told = f"campaign {name} of an earlier time is not over"
            if schedule.overlap == "skip":
                return _end(session, schedule, tick, was, "skipped", told)
            return was != "waiting" and _end(session, schedule, tick, was, "waiting", told)
        team = session.get_one(Team, schedule.team_id)
        by = schedule.created_by
        try:
            submission = tonight(
                session, objects, settings, schedule, Submission.of_schedule(schedule)
            )
            campaign = submitter(session, objects, settings, team, submission, by)
        except (SpecError, NoLab, QuotaExceeded) as refused:
            session.rollback()
            return _end(session, schedule, tick, was, "failed", str(refused))
        return _end(session, schedule, tick, was, "submitted", tick.detail, campaign.id)


def tell(session: Session, schedule: Schedule, tick: ScheduleTick) -> None:
    """Let watchers and webhooks know of a tick's outcome."""
    data = {
        "schedule_id": str(schedule.id),
        "name": schedule.name,
        "due_at": tick.due_at.isoformat(),
        "outcome": tick.outcome,
        "detail": tick.detail,
    }
    events.emit(session, schedule.team_id, tick.campaign_id, "schedule.tick", data)


def _going_on(session: Session, schedule: Schedule) -> uuid.UUID | None:
    query = select(Campaign.id).where(
        Campaign.schedule_id == schedule.id, Campaign.state.in_(GOING_ON)
    )
    return session.scalar(query.limit(1))


def _end(
    session: Session,
    schedule: Schedule,
    tick: ScheduleTick,
    was: str,
    outcome: str,
    detail: str,
    campaign_id: uuid.UUID | None = None,
) -> bool:
    """Commit an outcome; False, and nothing else committed, where another one came first."""
    changed = update(ScheduleTick).where(ScheduleTick.id == tick.id, ScheduleTick.outcome == was)
    values = {"outcome": outcome, "detail": detail, "campaign_id": campaign_id, "at": utc_now()}
    mine = changed.values(**values).returning(ScheduleTick.id)
    if session.execute(mine, execution_options={"synchronize_session": False}).first() is None:
        session.rollback()
        return False
    session.refresh(tick)
    tell(session, schedule, tick)
    session.commit()
    return True
