"""Campaigns of schedules that have a baseline: each is judged once after it has finished, and
after it got the replicates that its verdict wants.

Several may be at it at once, and one may die over it: the verdict and the event that tells it are
one transaction, and whoever comes second finds it there. Reading thousands of results takes its
time, in which others write.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session, aliased, sessionmaker
from weir_engine.errors import BadInput
from weir_engine.levels import identities
from weir_engine.regression import Judgement, judge
from weir_engine.regression.effects import parsed
from weir_engine.regression.wording import line, summary
from weir_engine.row import Row

from weir_orchestrator import events
from weir_orchestrator.db import Baseline, Campaign, MoreReplicates, Night, Schedule, reading
from weir_orchestrator.db.dialect import insert_new
from weir_orchestrator.errors import Unprocessable
from weir_orchestrator.lifecycle import GOING_ON, table
from weir_orchestrator.recorded.collection import not_collected
from weir_orchestrator.recorded.regression import paired, rows_to_judge
from weir_orchestrator.schedules.alarms import tend_alarms
from weir_orchestrator.schedules.judged import judged
from weir_orchestrator.schedules.mail import write_mail
from weir_orchestrator.schedules.replicates import ask_for_more, told
from weir_orchestrator.schedules.segments import BesideBaseline
from weir_orchestrator.schedules.trends import points, write_points

__all__ = ["judge_next"]

_NOT_GOOD: Final = ("worse", "cannot tell")
"""Nights that are no baseline of the next: else what could not be told would be forgotten."""
_TOLD: Final = 3
"""Of the worst, and of what was not compared."""
_Other: Final = aliased(Campaign)
_WAITS: Final = (
    select(MoreReplicates.campaign_id)
    .join(_Other, _Other.id == MoreReplicates.baseline_id)
    .where(MoreReplicates.campaign_id == Campaign.id, _Other.state.in_(GOING_ON))
)
_NEXT: Final = (
    select(Campaign)
    .join(Baseline, Baseline.schedule_id == Campaign.schedule_id)
    .outerjoin(Night, Night.campaign_id == Campaign.id)
    .where(Campaign.state.in_(table.FINISH.new), Night.campaign_id.is_(None), ~_WAITS.exists())
    .order_by(Campaign.created_at)
    .limit(1)
)
_log = logging.getLogger(__name__)


def judge_next(sessions: sessionmaker[Session]) -> bool:
    """Judge the oldest finished campaign that waits for it; whether there was one."""
    with reading(sessions)() as session, not_collected():
        campaign = session.scalar(_NEXT)
        if campaign is None:
            return False
        night = _night(session, campaign)
    if night.judgement is not None and night.most_replicates and night.baseline is not None:
        with sessions.begin() as session:
            wanted = night.judgement, night.most_replicates
            if ask_for_more(session, campaign.id, night.baseline, *wanted):
                return True
    with sessions.begin() as session:
        now = session.get(Campaign, campaign.id, with_for_update={"key_share": True})
        if now is None or now.schedule_id is None or now.state not in table.FINISH.new:
            return True
        row = {"campaign_id": now.id, "baseline_id": night.baseline, **_found(night)}
        row["told"] = [*row["told"], *told(session, now.id)]
        if insert_new(session, Night, **row):
            write_points(session, now, night.trends)
            session.flush()
            _tell(session, now, Night(**row), tend_alarms(session, now))
    return True


@dataclass(frozen=True)
class _Night:
    """A look at a night. why: there is no judgement. trends: its points on them."""

    most_replicates: int
    baseline: uuid.UUID | None = None
    judgement: Judgement | None = None
    why: str = ""
    trends: Sequence[dict[str, Any]] = ()


def _night(session: Session, campaign: Campaign) -> _Night:
    baseline, why = _baseline(session, campaign)
    judgement = beside = None
    schedule = session.get_one(Schedule, campaign.schedule_id)
    matters = parsed(f"{metric}={size}" for metric, size in schedule.effects.items())
    most = schedule.most_replicates
    try:
        tonight = rows_to_judge(session, campaign)
    except Unprocessable as error:
        return _Night(most, why=str(error))
    if baseline is not None:
        try:
            before = _as_many(rows_to_judge(session, baseline), tonight)
            pairs, remarks = paired(before, tonight)
            judgement = judge(pairs, matters, remarks)
            beside = BesideBaseline(baseline.id, before, pairs)
        except (BadInput, Unprocessable) as error:
            why = str(error)
    trends = points(session, campaign, tonight, judgement, beside, matters)
    return _Night(most, baseline.id if baseline else None, judgement, why, trends)


def _as_many(baseline: Sequence[Row], tonight: Sequence[Row]) -> list[Row]:
    """The baseline's runs without those that another night had it extended by."""
    combinations = identities(row.levels for row in tonight)
    here = {(own, row.replicate) for own, row in zip(combinations, tonight, strict=True)}
    compared = frozenset(combinations)
    return [
        row
        for own, row in zip(identities(row.levels for row in baseline), baseline, strict=True)
        if (own, row.replicate) in here or own not in compared
    ]


def _baseline(session: Session, campaign: Campaign) -> tuple[Campaign | None, str]:
    """What to compare with; else why there is nothing."""
    chosen = session.get(Baseline, campaign.schedule_id)
    if chosen is None:
        return None, "the schedule has no baseline any more"
    if chosen.kind == "campaign":
        if chosen.campaign_id == campaign.id:
            return None, "it is the baseline itself"
        found = session.get(Campaign, chosen.campaign_id) if chosen.campaign_id else None
        return found, "the baseline was deleted: choose another one for the schedule"
    last_good = judged(campaign.schedule_id).where(
        Campaign.created_at < campaign.created_at, Night.verdict.not_in(_NOT_GOOD)
    )
    found = session.scalar(last_good.with_only_columns(Campaign).limit(1))
    return found, "it is the first: the next one is compared with it"


def _found(night: _Night) -> dict[str, Any]:
    judgement = night.judgement
    if judgement is None:
        return {"verdict": "not compared", "told": [night.why]}
    better = sum(one.verdict == "better" for one in judgement.judged)
    worst = [line(one) for one in judgement.worse[:_TOLD]]
    remarks = [f"not compared: {each}" for each in judgement.remarks[:_TOLD]]
    if (more := len(judgement.remarks) - _TOLD) > 0:
        remarks.append(f"not compared: {more} more")
    return {
        "verdict": judgement.verdict,
        "worse": len(judgement.worse),
        "better": better,
        "changed": judgement.changed,
        "combinations": judgement.combinations,
        "told": [summary(judgement), *worst, *remarks],
    }


def _tell(session: Session, campaign: Campaign, night: Night, alarming: bool) -> None:
    schedule = session.get_one(Schedule, campaign.schedule_id)
    data = {
        "schedule_id": str(schedule.id),
        "schedule": schedule.name,
        "baseline_id": str(night.baseline_id) if night.baseline_id else None,
        "verdict": night.verdict,
        "worse": night.worse or 0,
        "alarming": alarming,
        "told": night.told,
    }
    events.emit(session, campaign.team_id, campaign.id, "campaign.judged", data)
    if alarming:
        write_mail(session, schedule, night.told)
    _log.info("campaign %s of schedule %s: %s", campaign.id, schedule.name, night.verdict)
