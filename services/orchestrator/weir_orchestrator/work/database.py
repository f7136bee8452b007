"""What the two databases do differently here: their clock, and inserting what may be there."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Interval, func, literal, select, type_coerce
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from weir_orchestrator.db import Base, utc_now
from weir_orchestrator.db.base import UtcDateTime

__all__ = ["clock", "insert", "insert_new", "now"]


def now(session: Session) -> datetime:
    """The database's clock: machines' own ones differ, and leases are compared by it."""
    if session.get_bind().dialect.name == "sqlite":
        return utc_now()
    return session.scalars(select(func.clock_timestamp(type_=UtcDateTime()))).one()


def clock(session: Session, later: timedelta = timedelta()) -> ColumnElement[datetime]:
    """`now`, and perhaps some time later, as a part of a statement: nothing to ask for first."""
    if session.get_bind().dialect.name == "sqlite":
        return literal(utc_now() + later, UtcDateTime())
    return type_coerce(func.clock_timestamp() + literal(later, Interval()), UtcDateTime())


def insert(session: Session, model: type[Base]) -> postgresql.Insert | sqlite.Insert:
    """An insertion that can say what to do where the key is there already."""
    build = sqlite.insert if session.get_bind().dialect.name == "sqlite" else postgresql.insert
    return build(model)


def insert_new(session: Session, model: type[Base], **values: Any) -> bool:
    """Insert a row unless its key is there already; whether it was inserted."""
    key = next(iter(model.__table__.primary_key))
    statement = insert(session, model).values(**values).on_conflict_do_nothing().returning(key)
    return session.execute(statement).first() is not None
