"""Numbers of runs out of the metric rows."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Final

from fastapi import Query
from sqlalchemy import Select, Subquery, func, select
from sqlalchemy.orm import Session
from weir.metrics import CATALOG
from weir_orchestrator.api.problems import FieldProblem, Unprocessable
from weir_orchestrator.db import Metric, MetricValue, Result

__all__ = ["ClientRank", "MetricName", "by_key", "require_metric", "values"]

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


def values(session: Session, name: str, client: int | None) -> Subquery:
    """(result_id, value): one number per result that has one."""
    number = session.scalar(select(Metric.id).where(Metric.name == name))
    query: Select[int, float]
    query = select(MetricValue.result_id, MetricValue.value).where(
        MetricValue.metric_id == (_NONE if number is None else number)
    )
    if CATALOG[name].scope == "run":
        return query.where(MetricValue.rank == 0).subquery("measured")
    if client is not None:
        return query.where(MetricValue.rank == client).subquery("measured")
    mean = func.avg(MetricValue.value).label("value")
    over = query.with_only_columns(MetricValue.result_id, mean).where(MetricValue.rank > 0)
    return over.group_by(MetricValue.result_id).subquery("measured")


def by_key(
    session: Session, keys: Collection[str], names: Collection[str], client: int | None
) -> dict[str, dict[str, float]]:
    """Run key -> metric -> its number, for a page of runs."""
    if not names:
        return {}
    mean = func.avg(MetricValue.value)
    query = (
        select(Result.key, Metric.name, mean)
        .join(MetricValue, MetricValue.result_id == Result.id)
        .join(Metric, Metric.id == MetricValue.metric_id)
        .where(Result.key.in_(keys), Metric.name.in_(names))
        .group_by(Result.key, Metric.name)
    )
    if client is not None:
        query = query.where(MetricValue.rank.in_((0, client)))
    found: dict[str, dict[str, float]] = {}
    for key, name, value in session.execute(query):
        found.setdefault(key, {})[name] = value
    return found
