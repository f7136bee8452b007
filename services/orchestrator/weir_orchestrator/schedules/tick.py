"""What is due: each time is noted down once and carried out once, by however many at once.

A time is first noted and the schedule moved on to its next, in one transaction; then the noted
tick is carried out in others, which may wait for a repository. Whoever dies in between leaves the
tick to the next one.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from itertools import islice, takewhile
from typing import Final

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import Session, sessionmaker

from weir_orchestrator.db import OPEN_OUTCOMES, Schedule, ScheduleTick, finds, singly
from weir_orchestrator.db.base import UtcDateTime
from weir_orchestrator.db.dialect import insert_new
from weir_orchestrator.objects import ObjectStore
from weir_orchestrator.schedules.carry_out import Submitter, carry_out, tell
from weir_orchestrator.schedules.times import following, last_due, times_after
from weir_orchestrator.schedules.turns import Job, Take
from weir_orchestrator.settings import Settings
from weir_orchestrator.submission import submit

__all__ = ["GRACE", "tick"]

GRACE: Final = timedelta(minutes=5)
"""What is found due by more than this was missed: nobody was there."""
_COUNTED: Final = 1000
_DUE: Final = select(Schedule).where(
    Schedule.enabled, Schedule.next_at <= bindparam("now", type_=UtcDateTime())
)
_OLDEST_OPEN: Final = (
    select(Schedule.team_id, func.min(ScheduleTick.id))
    .join(ScheduleTick, ScheduleTick.schedule_id == Schedule.id)
    .where(ScheduleTick.outcome.in_(OPEN_OUTCOMES))
    .group_by(Schedule.id)
    .order_by(func.min(ScheduleTick.id))
)
"""One per schedule: whether a later one may go depends on it."""


def tick(
    sessions: sessionmaker[Session],
    objects: ObjectStore,
    settings: Settings,
    now: datetime,
    take: Take,
    submitter: Submitter = submit,
) -> None:
    """Note down what is due at `now`, and have that and what waits carried out."""
    while _note(sessions, now):
        pass
    with singly(sessions)() as session:
        found = session.execute(_OLDEST_OPEN).all()
    jobs = []
    for team, tick_id in found:
        do = partial(carry_out, sessions, objects, settings, tick_id, submitter)
        jobs.append(Job(team, f"schedule tick {tick_id}", do))
    take(jobs)


def _note(sessions: sessionmaker[Session], now: datetime) -> bool:
    """Note down what one schedule is due for; whether there was one."""
    if not finds(sessions, _DUE, now=now):
        return False
    with sessions.begin() as session:
        first_due = _DUE.order_by(Schedule.next_at).limit(1)
        schedule = session.scalar(first_due.with_for_update(skip_locked=True), {"now": now})
        if schedule is None or schedule.next_at is None:
            return False
        first = schedule.next_at
        last = last_due(schedule.cron, schedule.timezone, first, now)
        if last > first:
            _add(session, schedule, first, "missed", _missed(schedule, first, last))
        _add(session, schedule, last, *_outcome(session, schedule, now - last))
        schedule.next_at = following(schedule.cron, schedule.timezone, now)
        return True


def _outcome(session: Session, schedule: Schedule, late: timedelta) -> tuple[str, str]:
    if late > GRACE:
        told = f"nobody was there to submit it for {_rounded(late)}"
        return ("due", told) if schedule.missed == "once" else ("missed", told)
    if schedule.overlap == "queue":
        open_ones = select(ScheduleTick.id).where(
            ScheduleTick.schedule_id == schedule.id, ScheduleTick.outcome.in_(OPEN_OUTCOMES)
        )
        if session.scalar(open_ones.limit(1)) is not None:
            return "skipped", "an earlier time waits already, for the same campaign"
    return "due", ""


def _missed(schedule: Schedule, first: datetime, last: datetime) -> str:
    later = takewhile(lambda at: at < last, times_after(schedule.cron, schedule.timezone, first))
    number = 1 + sum(1 for _ in islice(later, _COUNTED))
    counted = f"over {_COUNTED} times" if number > _COUNTED else f"{number} times"
    return f"{counted} before {last.isoformat()}: nobody was there to submit them"


def _add(session: Session, schedule: Schedule, due: datetime, outcome: str, detail: str) -> None:
    row = {"schedule_id": schedule.id, "due_at": due, "outcome": outcome, "detail": detail}
    if insert_new(session, ScheduleTick, **row) and outcome not in OPEN_OUTCOMES:
        tell(session, schedule, ScheduleTick(**row))


def _rounded(late: timedelta) -> timedelta:
    return timedelta(seconds=round(late.total_seconds()))
