"""metrics.json as arrays of numbers, for queries over many runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from weir_orchestrator.db import Metric, ResultValues
from weir_orchestrator.db.columns import insert_columns, insert_new_columns

__all__ = ["by_rank", "name_metrics", "placed", "remove_values", "store_values"]

_NOT_METRICS = frozenset({"client", "rank"})


def name_metrics(
    session: Session, names: Iterable[str], known: dict[str, int] | None = None
) -> dict[str, int]:
    """Ids of metrics by name, of all that are known; `names` are made known first.

    known: those of earlier calls on this database, which is not asked again for them. Ids have no
    gaps, whoever names metrics at the same time: they are positions in arrays.
    """
    wanted = set(names)
    if known is not None and wanted <= known.keys():
        return known
    stored = _ids(session)
    if wanted <= stored.keys():
        if known is not None:
            known.update(stored)
        return stored
    while missing := sorted(wanted - stored.keys()):
        first = max(stored.values(), default=0) + 1
        ids = range(first, first + len(missing))
        insert_new_columns(session, Metric, {}, {"id": ids, "name": missing}, "id")
        stored = _ids(session)
    return stored  # not remembered: the transaction may yet be rolled back


def store_values(
    session: Session,
    results: Mapping[int, dict[str, Any]],
    known: dict[str, int] | None = None,
) -> None:
    """Write the numbers of results (id -> metrics.json) that have none. known: see `name_metrics`,
    which a transaction with several results must ask once."""
    rows = [
        (result_id, rank, numbers)
        for result_id, metrics in results.items()
        for rank, numbers in by_rank(metrics)
    ]
    ids = name_metrics(session, {name for _, _, numbers in rows for name in numbers}, known)
    columns: dict[str, list[Any]] = {"result_id": [], "rank": [], "numbers": []}
    for result_id, rank, numbers in rows:
        columns["result_id"].append(result_id)
        columns["rank"].append(rank)
        columns["numbers"].append(placed(numbers, ids))
    if rows:
        insert_columns(session, ResultValues, {}, columns)


def remove_values(session: Session, result_id: int) -> None:
    """Remove the numbers of a result."""
    session.execute(delete(ResultValues).where(ResultValues.result_id == result_id))


def by_rank(metrics: dict[str, Any]) -> Iterator[tuple[int, dict[str, float]]]:
    """(rank, metric -> value) of the run, rank 0, and of each client that has any."""
    ranked = [(0, metrics["run"]), *((each["rank"], each) for each in metrics["clients"])]
    for rank, values in ranked:
        numbers = {
            name: float(value)
            for name, value in values.items()
            if name not in _NOT_METRICS and value is not None
        }
        if numbers:
            yield rank, numbers


def placed(numbers: dict[str, float], ids: Mapping[str, int]) -> list[float | None]:
    """The numbers by their metrics' ids, from 1."""
    positions = [ids[name] for name in numbers]
    placed: list[float | None] = [None] * max(positions)
    for position, value in zip(positions, numbers.values(), strict=True):
        placed[position - 1] = value
    return placed


def _ids(session: Session) -> dict[str, int]:
    return dict(session.execute(select(Metric.name, Metric.id)).all())
