"""Schedules and what came of their times, as the API shows them."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from weir_orchestrator import schedules
from weir_orchestrator.api.campaigns.schemas import CampaignIn
from weir_orchestrator.api.schedules.schemas import (
    SET,
    ComparedWith,
    NightOut,
    ScheduleDetail,
    ScheduleOut,
    TickOut,
)
from weir_orchestrator.api.schedules.subject_schemas import SubjectOut
from weir_orchestrator.db import Baseline, Campaign, Night, Schedule, ScheduleTick

__all__ = ["detail", "shown", "ticks_out"]

_OWN = ("id", "name", "enabled", "created_by", "created_at", "next_at", *SET)
_OF_TICK = ("id", "due_at", "at", "outcome", "detail")


def shown(session: Session, of: Sequence[Schedule]) -> list[ScheduleOut]:
    """With the newest tick of each."""
    ids = [each.id for each in of]
    newest = (
        select(func.max(ScheduleTick.id))
        .where(ScheduleTick.schedule_id.in_(ids))
        .group_by(ScheduleTick.schedule_id)
    )
    ticks = list(session.scalars(select(ScheduleTick).where(ScheduleTick.id.in_(newest))))
    last = {
        tick.schedule_id: told for tick, told in zip(ticks, ticks_out(session, ticks), strict=True)
    }
    chosen = {
        each.schedule_id: _compared_with(each)
        for each in session.scalars(select(Baseline).where(Baseline.schedule_id.in_(ids)))
    }
    subjects = schedules.sources_of_all(session, ids)
    return [
        ScheduleOut(
            **{name: getattr(each, name) for name in _OWN},
            last=last.get(each.id),
            baseline=chosen.get(each.id, "none"),
            subjects=[SubjectOut.of(*named) for named in subjects[each.id].items()],
        )
        for each in of
    ]


def detail(session: Session, schedule: Schedule) -> ScheduleDetail:
    """With what it submits."""
    (found,) = shown(session, [schedule])
    campaign = CampaignIn.model_construct(
        document=schedule.document,
        files=schedule.files,
        overrides=schedule.overrides,
        replicates=schedule.replicates,
        seed=schedule.seed,
        priority=schedule.priority,
    )
    badge = f"/api/v1/badges/{schedule.badge}" if schedule.badge else None
    return ScheduleDetail.model_construct(**dict(found), campaign=campaign, badge=badge)


def ticks_out(session: Session, ticks: Sequence[ScheduleTick]) -> list[TickOut]:
    """Each with how its campaign compares."""
    campaigns = [tick.campaign_id for tick in ticks if tick.campaign_id is not None]
    nights: dict[uuid.UUID | None, Night] = {
        night.campaign_id: night
        for night in session.scalars(select(Night).where(Night.campaign_id.in_(campaigns)))
    }
    subjects: dict[uuid.UUID | None, dict[str, str]] = dict(
        session.execute(
            select(Campaign.id, Campaign.subjects).where(Campaign.id.in_(campaigns))
        ).all()
    )
    return [
        TickOut(
            **{name: getattr(tick, name) for name in _OF_TICK},
            campaign=tick.campaign_id,
            subjects=subjects.get(tick.campaign_id, {}),
            night=NightOut.of(night) if (night := nights.get(tick.campaign_id)) else None,
        )
        for tick in ticks
    ]


def _compared_with(row: Baseline) -> ComparedWith:
    if row.kind == "last-good":
        return "last-good"
    return row.campaign_id or "none"
