"""Numbers of runs out of the arrays of their metrics."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Final

from fastapi import Query
from sqlalchemy import BigInteger, ColumnElement, Select, Subquery, false, func, literal, select
from sqlalchemy.orm import InstrumentedAttribute, Session
from weir.metrics import CATALOG

from weir_orchestrator.db import Campaign, Metric, ResultValues, Run
from weir_orchestrator.db.blocks import OVER_CLIENTS
from weir_orchestrator.db.dialect import number_at
from weir_orchestrator.errors import FieldProblem, Unprocessable
from weir_orchestrator.recorded.blocks import Place

__all__ = [
    "ClientRank",
    "MetricName",
    "by_result",
    "place_of",
    "require_metric",
    "results_of",
    "values",
    "within",
]

MetricName = Annotated[
    str, Query(max_length=100, description="A metric's name.", examples=["mean_bitrate_bps"])
]
ClientRank = Annotated[
    int | None,
    Query(
        ge=1,
        le=10_000,
        description="Of the client of this rank (1: the higher bitrate); without it the mean over "
        "the run's clients. Metrics of the run as a whole have none.",
    ),
]

_NO_INDEX: Final = literal(0, BigInteger, literal_execute=True)
"""Added to a result's number, for the least and the largest of some runs: Postgres would take the
index of all runs' to find the first that is one of them, and of a million, none is."""


def require_metric(name: str, field: str = "metric") -> None:
    """Raises Unprocessable for a name that is no metric's."""
    if name not in CATALOG:
        allowed = ", ".join(sorted(CATALOG))
        raise Unprocessable("1 problem", [FieldProblem(path=field, value=name, allowed=allowed)])


def place_of(session: Session, name: str, client: int | None) -> Place:
    """Of a metric of the catalog: of the client of this rank, or over clients."""
    number = session.scalar(select(Metric.id).where(Metric.name == name))
    of_run = CATALOG[name].scope == "run"
    return Place(0 if of_run else OVER_CLIENTS if client is None else client, number or 0)


def results_of(
    session: Session, campaign: Campaign, here: ColumnElement[bool] | None = None
) -> ColumnElement[bool]:
    """Which rows of `ResultValues` are of its runs' results, and few others'.

    here: which of its runs."""
    # Results of a campaign mostly stand together: others' values between them are few.
    made = select(func.min(Run.result_id), func.max(Run.result_id))
    if here is not None:
        of_run = Run.result_id + _NO_INDEX
        made = select(func.min(of_run), func.max(of_run)).where(here)
    least, most = session.execute(made.where(Run.campaign_id == campaign.id)).one()
    in_range = within(ResultValues.result_id, least, most)
    if here is None:
        return in_range
    of_runs = select(Run.result_id).where(Run.campaign_id == campaign.id, here)
    return in_range & ResultValues.result_id.in_(of_runs)


def within(
    column: InstrumentedAttribute[int], least: int | None, most: int | None
) -> ColumnElement[bool]:
    """Whether a result's id is in this range. It stands in the statement: for any, which is how
    Postgres plans what it was asked often, it would read all metrics of all results."""
    begin, end = (literal(bound, BigInteger, literal_execute=True) for bound in (least, most))
    return column.between(begin, end)


def values(place: Place, of_results: ColumnElement[bool]) -> Subquery:
    """(result_id, value): one number per result that has one. of_results: see `results_of`."""
    value = number_at(ResultValues.numbers, place.metric_id).label("value")
    query: Select[int, float] = select(ResultValues.result_id, value).where(of_results)
    if not place.metric_id:
        query = query.where(false())
    if place.rank != OVER_CLIENTS:
        of_one = query.where(ResultValues.rank == place.rank, value.is_not(None))
        return of_one.subquery("measured")
    mean = func.avg(value).label("value")
    over = query.with_only_columns(ResultValues.result_id, mean).where(ResultValues.rank > 0)
    known = over.group_by(ResultValues.result_id).having(mean.is_not(None))
    return known.subquery("measured")


def by_result(
    session: Session, results: Collection[int], names: Collection[str], client: int | None
) -> dict[int, dict[str, float]]:
    """Result -> metric -> its number, for a page of runs."""
    if not names:
        return {}
    ids = dict(session.execute(select(Metric.name, Metric.id).where(Metric.name.in_(names))).all())
    means = [func.avg(number_at(ResultValues.numbers, number)) for number in ids.values()]
    query = (
        select(ResultValues.result_id, *means)
        .where(ResultValues.result_id.in_(results))
        .group_by(ResultValues.result_id)
    )
    if client is not None:
        query = query.where(ResultValues.rank.in_((0, client)))
    return {
        result_id: {name: mean for name, mean in zip(ids, own, strict=True) if mean is not None}
        for result_id, *own in session.execute(query)
    }
