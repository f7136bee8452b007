"""Numbers of runs out of the metric rows."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Final

from fastapi import Query
from sqlalchemy import BigInteger, Select, Subquery, func, literal, select
from sqlalchemy.orm import Session
from weir.metrics import CATALOG

from weir_orchestrator.db import Campaign, Metric, MetricValue, Run
from weir_orchestrator.errors import FieldProblem, Unprocessable

__all__ = ["ClientRank", "MetricName", "by_result", "require_metric", "values"]

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
_NONE: Final = -1


def require_metric(name: str, field: str = "metric") -> None:
    """Raises Unprocessable for a name that is no metric's."""
    if name not in CATALOG:
        allowed = ", ".join(sorted(CATALOG))
        raise Unprocessable("1 problem", [FieldProblem(path=field, value=name, allowed=allowed)])


def values(session: Session, campaign: Campaign, name: str, client: int | None) -> Subquery:
    """(result_id, value): one number per result that has one, of the campaign's among others."""
    number = session.scalar(select(Metric.id).where(Metric.name == name))
    # Results of a campaign mostly stand together: others' values between them are few.
    made = select(func.min(Run.result_id), func.max(Run.result_id))
    # In the statement itself: for any range, which is how Postgres plans what it was asked often,
    # it would read all metrics of all results.
    bounds = session.execute(made.where(Run.campaign_id == campaign.id)).one()
    least, most = (literal(bound, BigInteger, literal_execute=True) for bound in bounds)
    query: Select[int, float]
    query = select(MetricValue.result_id, MetricValue.value).where(
        MetricValue.metric_id == (_NONE if number is None else number),
        MetricValue.result_id.between(least, most),
    )
    if CATALOG[name].scope == "run":
        return query.where(MetricValue.rank == 0).subquery("measured")
    if client is not None:
        return query.where(MetricValue.rank == client).subquery("measured")
    mean = func.avg(MetricValue.value).label("value")
    over = query.with_only_columns(MetricValue.result_id, mean).where(MetricValue.rank > 0)
    return over.group_by(MetricValue.result_id).subquery("measured")


def by_result(
    session: Session, results: Collection[int], names: Collection[str], client: int | None
) -> dict[int, dict[str, float]]:
    """Result -> metric -> its number, for a page of runs."""
    if not names:
        return {}
    mean = func.avg(MetricValue.value)
    query = (
        select(MetricValue.result_id, Metric.name, mean)
        .join(Metric, Metric.id == MetricValue.metric_id)
        .where(MetricValue.result_id.in_(results), Metric.name.in_(names))
        .group_by(MetricValue.result_id, Metric.name)
    )
    if client is not None:
        query = query.where(MetricValue.rank.in_((0, client)))
    found: dict[int, dict[str, float]] = {}
    for result_id, name, value in session.execute(query):
        found.setdefault(result_id, {})[name] = value
    return found
