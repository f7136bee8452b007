"""What a view is made of, copied for its card: campaigns with their files, and keys of runs."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from weir_orchestrator.api.cards.schemas import (
    MOST_NIGHTS,
    MOST_RUNS,
    CardCampaign,
    CardIn,
    CardRun,
)
from weir_orchestrator.db import Campaign, Run, Schedule, Team, Trend, TrendPoint
from weir_orchestrator.errors import FieldProblem, Unprocessable
from weir_orchestrator.schedules import trend_runs

__all__ = ["MadeOf", "made_of", "refused"]

MadeOf = tuple[list[CardCampaign], list[CardRun]]
_MOST_BESIDE: Final = 2
"""Campaigns that a view other than a trend shows beside each other."""


def made_of(session: Session, team: Team, given: CardIn) -> MadeOf:
    """As it is now. Raises Unprocessable for what is not the team's."""
    if given.trend is not None:
        return _of_trend(session, team, given.trend, given)
    if len(given.campaigns) > _MOST_BESIDE:
        allowed = f"at most {_MOST_BESIDE} campaigns, but for the nights of a trend"
        raise refused("campaigns", len(given.campaigns), allowed)
    runs = _runs(session, team, given.runs)
    ids = list(dict.fromkeys(given.campaigns or [run.campaign_id for run in runs]))
    campaigns = _campaigns(session, team, ids)
    total = {each.id: sum(run.campaign_id == each.id for run in runs) for each in campaigns}
    if not given.runs:
        total = {each.id: each.expanded for each in campaigns}
        of_them = select(Run).where(Run.campaign_id.in_(ids))
        order = of_them.order_by(Run.campaign_id, Run.position).limit(MOST_RUNS)
        runs = list(session.scalars(order))
    return [_campaign(each, total[each.id]) for each in campaigns], _keys(runs)


def refused(path: str, value: object, allowed: str) -> Unprocessable:
    """A field of a card that is none."""
    problem = FieldProblem(path=path, value=value, allowed=allowed, remedy="name another")
    return Unprocessable("1 problem", [problem])


def _of_trend(session: Session, team: Team, trend_id: int, given: CardIn) -> MadeOf:
    """Nights in their order. Of many runs the newest nights' are named: these can be carried out
    again the longest.
    """
    trend = session.get(Trend, trend_id)
    if trend is None or session.get_one(Schedule, trend.schedule_id).team_id != team.id:
        raise refused("trend", trend_id, "a trend of one of the team's schedules")
    if given.runs:
        raise refused("runs", len(given.runs), "none: a trend's runs are those of its nights")
    nights = _nights(session, trend, given.campaigns)
    total: dict[uuid.UUID, int] = {}
    runs: list[Run] = []
    for night in reversed(nights):
        own = trend_runs(session, trend, night.id)
        counted = select(func.count()).select_from(own.order_by(None).subquery())
        total[night.id] = session.scalars(counted).one()
        runs += session.scalars(own.limit(MOST_RUNS - len(runs)))
    campaigns = [_campaign(night, total[night.id], night.created_at) for night in nights]
    for earlier, campaign in reversed(list(pairwise(campaigns))):
        if campaign.document == earlier.document:
            campaign.document = ""
    return campaigns, _keys(runs)


def _nights(session: Session, trend: Trend, ids: Sequence[uuid.UUID]) -> list[Campaign]:
    """Oldest first: these, else the newest ones."""
    query = (
        select(Campaign)
        .join(TrendPoint, TrendPoint.campaign_id == Campaign.id)
        .where(TrendPoint.trend_id == trend.id)
        .order_by(Campaign.created_at.desc(), Campaign.id)
    )
    if ids:
        query = query.where(Campaign.id.in_(ids))
    found = list(session.scalars(query.limit(MOST_NIGHTS)))
    there = {each.id for each in found}
    for index, asked in enumerate(ids):
        if asked not in there:
            raise refused(f"campaigns.{index}", asked, "a night of the trend")
    return found[::-1]


def _campaigns(session: Session, team: Team, ids: Sequence[uuid.UUID]) -> list[Campaign]:
    found = [session.get(Campaign, each) for each in ids]
    if not ids:
        raise refused("campaigns", [], "the campaigns or the runs that it shows")
    for index, campaign in enumerate(found):
        if campaign is None or campaign.team_id != team.id:
            raise refused(f"campaigns.{index}", ids[index], "a campaign of the team's")
    return [each for each in found if each is not None]


def _runs(session: Session, team: Team, ids: Sequence[int]) -> list[Run]:
    query = select(Run).join(Campaign, Campaign.id == Run.campaign_id)
    mine = query.where(Campaign.team_id == team.id, Run.id.in_(ids))
    found = {run.id: run for run in session.scalars(mine)}
    for index, asked in enumerate(ids):
        if asked not in found:
            raise refused(f"runs.{index}", asked, "a run of the team's")
    return [found[each] for each in dict.fromkeys(ids)]


def _campaign(of: Campaign, runs: int, night: datetime | None = None) -> CardCampaign:
    return CardCampaign(
        id=of.id,
        name=of.name,
        document=of.document,
        kernel_hash=of.kernel_hash,
        roles_hash=of.roles_hash,
        runs=runs,
        night=night,
    )


def _keys(runs: Sequence[Run]) -> list[CardRun]:
    return [CardRun(id=run.id, key=run.key, seed=str(run.seed), state=run.state) for run in runs]
