"""Reading and changing alarms."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Final

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from weir_orchestrator.api import audit_log
from weir_orchestrator.api.access import Principal
from weir_orchestrator.api.alarms.schemas import AlarmChange, AlarmOut
from weir_orchestrator.api.paging import Page, page_of
from weir_orchestrator.api.schedules.lookup import schedule_of
from weir_orchestrator.db import Alarm, Schedule, Trend, TrendPoint, User

__all__ = ["Alarms"]

_OWN: Final = (
    "id",
    "opened_at",
    "opened_by",
    "worse_in",
    "closed_at",
    "closed_by",
    "acknowledged_at",
    "muted_until",
    "note",
)


class Alarms:
    """On behalf of `who`, in one session."""

    def __init__(self, session: Session, who: Principal, now: datetime) -> None:
        self._session = session
        self._who = who
        self._now = now

    def of_schedule(
        self, schedule_id: uuid.UUID, closed: bool, limit: int, cursor: str | None
    ) -> Page[AlarmOut]:
        """Raises NotFound, Unprocessable."""
        schedule_of(self._session, self._who, schedule_id)
        state = Alarm.closed_at.is_not(None) if closed else Alarm.closed_at.is_(None)
        query = _shown().where(Trend.schedule_id == schedule_id, state)
        rows, following = page_of(self._session, query.order_by(Alarm.id.desc()), limit, cursor)
        return Page[AlarmOut](items=[_alarm_out(*row) for row in rows], next=following)

    def change(self, alarm_id: int, change: AlarmChange) -> AlarmOut:
        """Raises NotFound, NotAllowed."""
        alarm = self._session.get(Alarm, alarm_id)
        trend = self._session.get_one(Trend, alarm.trend_id) if alarm else None
        schedule = self._session.get_one(Schedule, trend.schedule_id) if trend else None
        self._who.require(schedule.team_id if schedule else None, "submit", "alarm")
        assert alarm is not None and schedule is not None
        if change.acknowledged is not None:
            alarm.acknowledged_at = self._now if change.acknowledged else None
            alarm.acknowledged_by = self._who.user_id if change.acknowledged else None
        if change.muted_until is not None:
            over = change.muted_until <= self._now
            alarm.muted_until = None if over else change.muted_until
        if change.note is not None:
            alarm.note = change.note
        told = change.model_dump(mode="json", exclude_none=True)
        audit_log.log(self._session, self._who, "alarm.change", schedule.team_id, alarm.id, **told)
        self._session.flush()
        row = self._session.execute(_shown().where(Alarm.id == alarm_id)).one()
        return _alarm_out(*row)


def _shown() -> Select[Alarm, Trend, TrendPoint, str]:
    last_worse = (TrendPoint.trend_id == Alarm.trend_id) & (
        TrendPoint.campaign_id == Alarm.worse_in
    )
    return (
        select(Alarm, Trend, TrendPoint, User.email)
        .join(Trend, Trend.id == Alarm.trend_id)
        .outerjoin(TrendPoint, last_worse)
        .outerjoin(User, User.id == Alarm.acknowledged_by)
    )


def _alarm_out(alarm: Alarm, trend: Trend, point: TrendPoint | None, by: str | None) -> AlarmOut:
    return AlarmOut(
        **{name: getattr(alarm, name) for name in _OWN},
        trend=trend.id,
        levels=trend.levels,
        metric=trend.metric,
        before=point.before if point else None,
        difference=point.difference if point else None,
        acknowledged_by=by,
    )
