"""Alarms are opened by the first worse night of a trend, and close by themselves."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from weir_orchestrator.db import Alarm, Campaign, Trend, TrendPoint, utc_now
from weir_orchestrator.schedules.judged import judged

__all__ = ["tend_alarms"]

_GOOD: Final = frozenset({"same", "no matter", "better"})


def tend_alarms(session: Session, campaign: Campaign) -> bool:
    """Open and close those of a night whose points are written; whether one is to be told of.

    A night that cannot tell leaves them as they are; so does one older than another that was
    judged.
    """
    newest = judged(campaign.schedule_id).with_only_columns(Campaign.created_at).limit(1)
    if (latest := session.scalar(newest)) is not None and campaign.created_at < latest:
        return False
    own = select(Alarm).join(Trend).where(Trend.schedule_id == campaign.schedule_id)
    found = {
        alarm.trend_id: alarm for alarm in session.scalars(own.where(Alarm.closed_at.is_(None)))
    }
    moment = utc_now()
    said = select(TrendPoint.trend_id, TrendPoint.verdict).where(
        TrendPoint.campaign_id == campaign.id
    )
    worse = []
    for trend_id, verdict in session.execute(said):
        alarm = found.get(trend_id)
        if verdict == "worse":
            worse.append(trend_id)
            if alarm is not None:
                alarm.worse_in = campaign.id
        elif alarm is not None and verdict in _GOOD:
            alarm.closed_at, alarm.closed_by = moment, campaign.id
    muted = _muted(session, worse, moment)
    for trend_id in worse:
        if trend_id not in found:
            alarm = Alarm(trend_id=trend_id, opened_by=campaign.id, worse_in=campaign.id)
            alarm.muted_until = muted.get(trend_id)
            session.add(alarm)
    return any(trend_id not in muted for trend_id in worse)


def _muted(session: Session, trends: Iterable[int], moment: datetime) -> dict[int, datetime]:
    """Until when, also by an alarm that is closed: it may come and go."""
    query = (
        select(Alarm.trend_id, func.max(Alarm.muted_until))
        .where(Alarm.trend_id.in_(trends), Alarm.muted_until > moment)
        .group_by(Alarm.trend_id)
    )
    return {trend_id: until for trend_id, until in session.execute(query) if until is not None}
