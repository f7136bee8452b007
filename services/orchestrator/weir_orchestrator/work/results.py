"""Results of runs that ended together, as rows of the database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import update
from sqlalchemy.orm import Session

from weir_orchestrator.db import Result
from weir_orchestrator.db.columns import insert_new_columns
from weir_orchestrator.db.dialect import now
from weir_orchestrator.work.metric_rows import remove_values, store_values

__all__ = ["store_results"]


def store_results(
    session: Session, rows: Sequence[dict[str, Any]], metric_ids: dict[str, int]
) -> dict[str, int]:
    """Key -> id of its result, in place of an older one. rows: the columns of each.

    metric_ids: see `name_metrics`.
    """
    # In one order: of two workers, none waits for a key of the other, who waits for one of its.
    rows = sorted(rows, key=lambda row: str(row["key"]))
    finished_at = now(session)
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    same = {"finished_at": finished_at}
    new = insert_new_columns(session, Result, same, columns, "id", "key")
    ids = {row.key: row.id for row in new}
    for row in rows:
        if row["key"] not in ids:
            ids[row["key"]] = _replace(session, {**row, "finished_at": finished_at})
    store_values(session, {ids[row["key"]]: row["metrics"] for row in rows}, metric_ids)
    return ids


def _replace(session: Session, row: dict[str, Any]) -> int:
    # Whoever made it first pays for it.
    values = {name: value for name, value in row.items() if name not in {"key", "team_id"}}
    older = update(Result).where(Result.key == row["key"]).values(**values).returning(Result.id)
    result_id = session.scalars(older).one()
    remove_values(session, result_id)
    return result_id
