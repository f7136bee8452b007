"""Removing rows with their objects, in two steps: a row is marked before its objects go.

Whoever would come to refer to a row sees the mark, and does not. So neither a row without its
objects nor objects that somebody just wrote are the outcome, wherever this is interrupted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Generic, TypeVar

from sqlalchemy import ColumnElement, and_, delete, or_, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session, sessionmaker

from weir_orchestrator.db import Pack, Result
from weir_orchestrator.db.dialect import now

__all__ = ["CHUNK", "Kind", "remove_unused"]

CHUNK: Final = 200
Row = TypeVar("Row", Result, Pack)


@dataclass(frozen=True)
class Kind(Generic[Row]):
    """Rows of a model. since: when one came to be. used: whether something refers to it. marked,
    mark: how it is seen, and written, that it is to go."""

    model: type[Row]
    since: InstrumentedAttribute[datetime]
    used: ColumnElement[bool]
    marked: ColumnElement[bool]
    mark: Mapping[str, Any]


def remove_unused(
    sessions: sessionmaker[Session],
    kind: Kind[Row],
    keep: timedelta,
    remove_objects: Callable[[Row], object],
    at_most: int = CHUNK,
) -> bool:
    """Remove rows, with their objects, that nothing refers to; whether more are left.

    keep: not before they are that old. Raises what remove_objects does; calling again goes on.
    """
    model = kind.model
    with sessions() as session:
        old = kind.since < now(session) - keep
        query = select(model.id).where(or_(kind.marked, and_(old, ~kind.used)))
        found = session.scalars(query.limit(at_most)).all()
    if not found:
        return False
    with sessions.begin() as session:
        chosen = select(model.id).where(model.id.in_(found))
        held = session.scalars(chosen.with_for_update(skip_locked=True)).all()
        # Asked again now that they are locked: something may have come to refer to one.
        mark = update(model).where(model.id.in_(held), ~kind.used).values(**kind.mark)
        session.execute(mark, execution_options={"synchronize_session": False})
    removed = [_remove(sessions, kind, each, remove_objects) for each in found]
    return any(removed)


def _remove(
    sessions: sessionmaker[Session],
    kind: Kind[Row],
    row_id: Any,
    remove_objects: Callable[[Row], object],
) -> bool:
    """One that is marked, by one housekeeper at a time; False where it is not."""
    marked = select(kind.model).where(kind.model.id == row_id, kind.marked)
    with sessions.begin() as session:
        row = session.scalar(marked.with_for_update(skip_locked=True))
        if row is None:
            return False
        remove_objects(row)
        session.execute(delete(kind.model).where(kind.model.id == row_id))
    return True
