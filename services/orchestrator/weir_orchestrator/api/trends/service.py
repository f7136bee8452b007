"""Reading trends."""

from __future__ import annotations

import uuid
from statistics import median
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session
from weir.metrics import CATALOG
from weir_engine.regression import beside
from weir_engine.row import measured

from weir_orchestrator.api.access import Principal
from weir_orchestrator.api.paging import Page, page_of
from weir_orchestrator.api.schedules.lookup import schedule_of
from weir_orchestrator.api.schedules.schemas import NightOut
from weir_orchestrator.api.trends.schemas import (
    Board,
    BoardPoint,
    Change,
    RunPair,
    TrendOut,
    TrendPointOut,
)
from weir_orchestrator.db import Campaign, Night, Result, Run, Schedule, Trend, TrendPoint
from weir_orchestrator.errors import NotFound
from weir_orchestrator.schedules import judged, trend_runs

__all__ = ["Trends"]

_POINT: Final = (
    "n",
    "mean",
    "low",
    "high",
    "verdict",
    "before",
    "difference",
    "replicates",
    "mark",
)


class Trends:
    """On behalf of `who`, in one session."""

    def __init__(self, session: Session, who: Principal) -> None:
        self._session = session
        self._who = who

    def board(self, schedule_id: uuid.UUID, night: uuid.UUID | None) -> Board:
        """Raises NotFound."""
        schedule_of(self._session, self._who, schedule_id)
        found = self._judged(schedule_id, night)
        if found is None:
            return Board.model_construct(campaign=None, night=None, points=[])
        points = (
            select(TrendPoint, Trend)
            .join(Trend, Trend.id == TrendPoint.trend_id)
            .where(TrendPoint.campaign_id == found.campaign_id)
            .order_by(Trend.id)
        )
        shown = [
            BoardPoint.model_construct(**_point(point), trend=trend.id, **_of(trend))
            for point, trend in self._session.execute(points)
        ]
        told = NightOut.of(found)
        return Board.model_construct(campaign=found.campaign_id, night=told, points=shown)

    def trend(self, trend_id: int, nights: int) -> TrendOut:
        """Raises NotFound."""
        found = self._trend(trend_id)
        query = (
            select(TrendPoint, Campaign)
            .join(Campaign, Campaign.id == TrendPoint.campaign_id)
            .where(TrendPoint.trend_id == trend_id)
            .order_by(Campaign.created_at.desc())
            .limit(nights)
        )
        points = [
            TrendPointOut.model_construct(**_point(point), **_night(campaign))
            for point, campaign in self._session.execute(query)
        ]
        info = CATALOG.get(found.metric)
        return TrendOut.model_construct(
            id=found.id,
            schedule=found.schedule_id,
            **_of(found),
            unit=info.unit if info else "",
            points=points[::-1],
        )

    def pairs(self, trend_id: int, night: uuid.UUID | None) -> list[RunPair]:
        """Raises NotFound."""
        trend = self._trend(trend_id)
        found = self._judged(trend.schedule_id, night)
        if found is None or found.baseline_id is None:
            return []
        left, right = (self._runs(trend, each) for each in (found.baseline_id, found.campaign_id))
        of_run = {run.id: measured(metrics) for run, metrics in (*left, *right)}
        pairs = [
            RunPair(a=a.id, b=b.id, before=before, after=after)
            for a, b in beside([run for run, _ in left], (run for run, _ in right))
            if b is not None
            and (before := of_run[a.id].get(trend.metric)) is not None
            and (after := of_run[b.id].get(trend.metric)) is not None
        ]
        middle = median([each.after - each.before for each in pairs] or [0.0])
        return sorted(pairs, key=lambda each: abs(each.after - each.before - middle))

    def changes(self, schedule_id: uuid.UUID, limit: int, cursor: str | None) -> Page[Change]:
        """Raises NotFound, Unprocessable."""
        schedule_of(self._session, self._who, schedule_id)
        query = (
            select(TrendPoint, Trend, Campaign)
            .join(Trend, Trend.id == TrendPoint.trend_id)
            .join(Campaign, Campaign.id == TrendPoint.campaign_id)
            .where(Trend.schedule_id == schedule_id, TrendPoint.mark != "")
            .order_by(Campaign.created_at.desc(), Trend.id)
        )
        rows, following = page_of(self._session, query, limit, cursor)
        items = [
            Change.model_construct(
                **_point(point), **_night(campaign), trend=trend.id, **_of(trend)
            )
            for point, trend, campaign in rows
        ]
        return Page[Change](items=items, next=following)

    def _trend(self, trend_id: int) -> Trend:
        found = self._session.get(Trend, trend_id)
        team = self._session.get_one(Schedule, found.schedule_id).team_id if found else None
        self._who.require(team, "read", "trend")
        assert found is not None
        return found

    def _judged(self, schedule_id: uuid.UUID, campaign_id: uuid.UUID | None) -> Night | None:
        """That one, else the newest judged, if any. Raises NotFound."""
        query = judged(schedule_id).limit(1)
        if campaign_id is not None:
            query = query.where(Night.campaign_id == campaign_id)
        found = self._session.scalar(query)
        if found is None and campaign_id is not None:
            raise NotFound("night: the schedule has no such campaign, or it is not judged")
        return found

    def _runs(self, trend: Trend, campaign_id: uuid.UUID) -> list[tuple[Run, Any]]:
        """The succeeded ones of the trend's combination, and what they measured."""
        query = trend_runs(self._session, trend, campaign_id)
        with_metrics = query.join(Result, Result.id == Run.result_id).add_columns(Result.metrics)
        return [(run, metrics) for run, metrics in self._session.execute(with_metrics)]


def _point(point: TrendPoint) -> dict[str, Any]:
    return {name: getattr(point, name) for name in _POINT}


def _of(trend: Trend) -> dict[str, Any]:
    return {"levels": trend.levels, "metric": trend.metric}


def _night(campaign: Campaign) -> dict[str, Any]:
    shown = ("subjects", "kernel_hash", "roles_hash")
    fields = {name: getattr(campaign, name) for name in shown}
    return {"campaign": campaign.id, "at": campaign.created_at, **fields}
