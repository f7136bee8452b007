"""What the two databases do differently here: their clock, inserting many rows or what may be
there, and one number out of many."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    ARRAY,
    JSON,
    Column,
    ColumnElement,
    Double,
    Row,
    Table,
    Text,
    bindparam,
    cast,
    func,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import Session
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeEngine

from weir_orchestrator.db import Base, utc_now
from weir_orchestrator.db.base import Numbers, UtcDateTime

__all__ = [
    "clock",
    "insert",
    "insert_columns",
    "insert_new",
    "insert_new_columns",
    "now",
    "number_at",
]


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


def insert_columns(
    session: Session,
    model: type[Base],
    same: Mapping[str, Any],
    columns: Mapping[str, Sequence[Any]],
) -> None:
    """Insert rows given by column; same: what is equal in all of them. No default is filled in."""
    if session.get_bind().dialect.name == "postgresql":
        session.execute(_from_arrays(model, (*same,), (*columns,)), _arrays(model, same, columns))
    else:
        session.execute(_table(model).insert(), _rows(same, columns))


def insert_new_columns(
    session: Session,
    model: type[Base],
    same: Mapping[str, Any],
    columns: Mapping[str, Sequence[Any]],
    *told: str,
) -> Sequence[Row[Any]]:
    """The same, of those rows whose key is not there already; `told` of what was inserted."""
    table = _table(model)
    if session.get_bind().dialect.name == "postgresql":
        unless = _from_arrays(model, (*same,), (*columns,)).on_conflict_do_nothing()
        rows = _arrays(model, same, columns)
        return session.execute(unless.returning(*(table.c[name] for name in told)), rows).all()
    new = sqlite.insert(table).on_conflict_do_nothing().returning(*(table.c[n] for n in told))
    return session.execute(new, _rows(same, columns)).all()


def _table(model: type[Base]) -> Table:
    # Of a model, rows would go in by groups in which the same columns are None.
    return Base.metadata.tables[model.__tablename__]


def _rows(same: Mapping[str, Any], columns: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    rows = zip(*columns.values(), strict=True)
    return [{**same, **dict(zip(columns, row, strict=True))} for row in rows]


def _arrays(
    model: type[Base], same: Mapping[str, Any], columns: Mapping[str, Sequence[Any]]
) -> dict[str, Any]:
    types = {column.name: column.type for column in _table(model).columns}
    return {**same, **{name: _array(types[name], column) for name, column in columns.items()}}


def _array(kind: TypeEngine[Any], column: Sequence[Any]) -> list[Any] | str:
    if isinstance(kind, Numbers):
        return [Numbers.literal(each) for each in column]
    if isinstance(kind, JSON):  # as one: of texts in an array, every quote would be escaped
        return json.dumps(list(column))
    return list(column)


@cache
def _from_arrays(
    model: type[Base], same: tuple[str, ...], columns: tuple[str, ...]
) -> postgresql.Insert:
    """One message, however many rows they are."""
    table = _table(model)
    chosen = [
        *(bindparam(name, type_=table.c[name].type) for name in same),
        *(_unnested(table.c[name]) for name in columns),
    ]
    return postgresql.insert(table).from_select([*same, *columns], select(*chosen))


def _unnested(column: Column[Any]) -> ColumnElement[Any]:
    if isinstance(column.type, JSON):
        whole = cast(bindparam(column.name, type_=Text), JSON)
        return func.json_array_elements(whole, type_=column.type)
    if isinstance(column.type, Numbers):  # an array of arrays would be taken apart to its numbers
        return cast(func.unnest(bindparam(column.name, type_=ARRAY(Text))), column.type)
    return func.unnest(bindparam(column.name, type_=ARRAY(column.type)))
