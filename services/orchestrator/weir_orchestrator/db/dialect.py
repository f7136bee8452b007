"""What the two databases do differently here: their clock, inserting what may be there, and one
number out of many. `columns` has many rows at once."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Double, bindparam, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import Session
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from weir_orchestrator.db import Base, utc_now
from weir_orchestrator.db.base import UtcDateTime

__all__ = ["clock", "insert", "insert_new", "now", "number_at"]


class clock(FunctionElement[datetime]):
    """`now` as a part of a statement, and a number of seconds later: nothing to ask for first."""

    type = UtcDateTime()
    inherit_cache = True

    def __init__(self, later_s: Any = 0.0) -> None:
        """later_s: a number or a parameter of the statement."""
        super().__init__(later_s)


@compiles(clock, "postgresql")
def _on_postgres(element: clock, compiler: SQLCompiler, **options: Any) -> str:
    later_s = compiler.process(element.clauses, **options)
    return f"(clock_timestamp() + make_interval(secs => {later_s}))"


@compiles(clock, "sqlite")
def _on_sqlite(element: clock, compiler: SQLCompiler, **options: Any) -> str:
    later_s = compiler.process(element.clauses, **options)
    # Its times are text of six decimals; it knows three.
    return f"strftime('%Y-%m-%d %H:%M:%f000', 'now', ({later_s}) || ' seconds')"


class number_at(FunctionElement[float]):
    """A number of a column of `Numbers` by its position, from 1; null where there is none."""

    type = Double()
    inherit_cache = True

    def __init__(self, numbers: Any, position: int) -> None:
        super().__init__(numbers, bindparam(None, position, unique=True))


@compiles(number_at, "postgresql")
def _element_on_postgres(element: number_at, compiler: SQLCompiler, **options: Any) -> str:
    numbers, position = (compiler.process(each, **options) for each in element.clauses)
    return f"({numbers})[{position}]"


@compiles(number_at, "sqlite")
def _element_on_sqlite(element: number_at, compiler: SQLCompiler, **options: Any) -> str:
    numbers, position = (compiler.process(each, **options) for each in element.clauses)
    return f"json_extract({numbers}, '$[' || ({position} - 1) || ']')"


def now(session: Session) -> datetime:
    """The database's clock: machines' own ones differ, and leases are compared by it."""
    if session.get_bind().dialect.name == "sqlite":
        return utc_now()
    return session.scalars(select(clock())).one()


def insert(session: Session, model: type[Base]) -> postgresql.Insert | sqlite.Insert:
    """An insertion that can say what to do where the key is there already."""
    build = sqlite.insert if session.get_bind().dialect.name == "sqlite" else postgresql.insert
    return build(model)


def insert_new(session: Session, model: type[Base], **values: Any) -> bool:
    """Insert a row unless its key is there already; whether it was inserted."""
    key = next(iter(model.__table__.primary_key))
    statement = insert(session, model).values(**values).on_conflict_do_nothing().returning(key)
    return session.execute(statement).first() is not None
