"""Lists of runs."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Float, Select, func, literal, select
from sqlalchemy.orm import Session, aliased
from weir.metrics import CATALOG

from weir_orchestrator.api.runs import metrics
from weir_orchestrator.api.runs.near import near
from weir_orchestrator.db import Campaign, Run
from weir_orchestrator.db.base import UtcDateTime
from weir_orchestrator.errors import FieldProblem, Unprocessable
from weir_orchestrator.recorded.combinations import Numbered, of_combinations

__all__ = ["SORTS", "Only", "listed"]

SORTS: Final = ("position", "started", "wall_s")
_LARGEST: Final = 1.7e308
_LATEST: Final = datetime(9000, 1, 1, tzinfo=UTC)
_EARLIEST: Final = datetime(1000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Only:
    """Some runs of a campaign: these (none named: any), of this replicate (from 0)."""

    runs: tuple[int, ...] = ()
    replicate: int | None = None


def listed(
    session: Session,
    campaign: Campaign,
    states: Collection[str],
    numbers: Numbered | None,
    only: Only,
    sort: str,
    client: int | None,
    limit: int,
    cursor: str | None,
) -> Select[Run]:
    """A campaign's runs in order, all or some: those of a page at least.

    sort: one of SORTS or a metric; `-` before it: descending. Runs without the value come
    last either way. Raises Unprocessable.
    """
    name, descending = sort.removeprefix("-"), sort.startswith("-")
    query = select(Run).where(Run.campaign_id == campaign.id)
    if states:
        query = query.where(Run.state.in_(states))
    if numbers is not None:
        query = query.where(of_combinations(numbers), *_from_first(campaign, numbers))
    if only.runs:
        query = query.where(Run.id.in_(only.runs))
    if only.replicate is not None:
        query = query.where(Run.replicate == only.replicate)
    if name == "position":
        return query.order_by(Run.position.desc() if descending else Run.position)
    by: ColumnElement[Any]
    if name == "started":
        last = literal(_EARLIEST if descending else _LATEST, UtcDateTime())
        by = func.coalesce(Run.started_at, last)
    elif name == "wall_s":
        by = func.coalesce(Run.wall_s, _last(descending))
    elif name in CATALOG:
        here, place = None, metrics.place_of(session, name, client)
        if only == Only():
            here = near(
                session,
                campaign,
                place,
                states,
                numbers,
                descending=descending,
                limit=limit,
                cursor=cursor,
            )
        if here is not None:
            query = query.where(here)
        measured = metrics.values(place, metrics.results_of(session, campaign, here))
        query = query.outerjoin(measured, measured.c.result_id == Run.result_id)
        by = func.coalesce(measured.c.value, _last(descending))
    else:
        allowed = ", ".join([*SORTS, *sorted(CATALOG)])
        problem = FieldProblem(path="sort", value=sort, allowed=f"{allowed}; - before it: falling")
        raise Unprocessable("1 problem", [problem])
    return query.order_by(by.desc() if descending else by, Run.position)


def _from_first(campaign: Campaign, numbers: Numbered) -> Iterator[ColumnElement[bool]]:
    """That none of these comes before the first of the least number, as combinations are numbered
    when they first come: without it, all runs before are looked at."""
    if numbers:
        first = aliased(Run)
        of_least = (first.campaign_id == campaign.id, first.combination == min(numbers))
        yield Run.position >= select(func.min(first.position)).where(*of_least).scalar_subquery()


def _last(descending: bool) -> ColumnElement[float]:
    return literal(-_LARGEST if descending else _LARGEST, Float())
