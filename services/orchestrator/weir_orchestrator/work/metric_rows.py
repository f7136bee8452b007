"""metrics.json as rows, for queries over many runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from weir_orchestrator.db import Metric, MetricValue
from weir_orchestrator.db.dialect import insert_columns, insert_new

__all__ = ["name_metrics", "remove_values", "store_values", "values"]

_NOT_METRICS = frozenset({"client", "rank"})


def values(metrics: dict[str, Any]) -> Iterator[tuple[str, int, float]]:
    """(name, rank, value) of every number in metrics.json; rank 0: of the run itself."""
    ranked = [(0, metrics["run"]), *((each["rank"], each) for each in metrics["clients"])]
    for rank, numbers in ranked:
        for name, value in numbers.items():
            if name not in _NOT_METRICS and value is not None:
                yield name, rank, float(value)


def name_metrics(
    session: Session, names: Iterable[str], known: dict[str, int] | None = None
) -> dict[str, int]:
    """Ids of metrics by name, of all that are known; `names` are made known first.

    known: those of earlier calls on this database, which is not asked again for them.
    """
    wanted = set(names)
    if known is not None and wanted <= known.keys():
        return known
    stored = _ids(session)
    missing = sorted(wanted - stored.keys())
    for name in missing:
        insert_new(session, Metric, name=name)
    if missing:
        return _ids(session)  # not remembered: the transaction may yet be rolled back
    if known is not None:
        known.update(stored)
    return stored


def store_values(
    session: Session,
    results: Mapping[int, dict[str, Any]],
    known: dict[str, int] | None = None,
) -> None:
    """Write the numbers of results (id -> metrics.json) that have none. known: see `name_metrics`,
    which a transaction with several results must ask once."""
    rows = [(result_id, *row) for result_id, metrics in results.items() for row in values(metrics)]
    if not rows:
        return
    owners, names, ranks, numbers = zip(*rows, strict=True)
    ids = name_metrics(session, names, known)
    metric_ids = [ids[name] for name in names]
    columns = {"result_id": owners, "metric_id": metric_ids, "rank": ranks, "value": numbers}
    insert_columns(session, MetricValue, {}, columns)


def remove_values(session: Session, result_id: int) -> None:
    """Remove the numbers of a result."""
    session.execute(delete(MetricValue).where(MetricValue.result_id == result_id))


def _ids(session: Session) -> dict[str, int]:
    return dict(session.execute(select(Metric.name, Metric.id)).all())
