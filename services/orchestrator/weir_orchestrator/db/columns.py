"""Many rows in one statement and one message: given by column, as arrays where a database has them.

However many they are, it is one text, which Postgres plans once.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import (
    ARRAY,
    JSON,
    BindParameter,
    Boolean,
    Column,
    ColumnElement,
    Dialect,
    Row,
    Table,
    Text,
    TypeDecorator,
    bindparam,
    cast,
    func,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import InstrumentedAttribute, Session
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeEngine

from weir_orchestrator.db import Base
from weir_orchestrator.db.base import Numbers

__all__ = ["ColumnsUpdate", "among", "insert_columns", "insert_new_columns"]


class _JsonText(TypeDecorator[Collection[Any]]):
    """Values as the text of a JSON list, for SQLite."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Collection[Any] | None, dialect: Dialect) -> str:
        return json.dumps(list(value or ()))


class among(FunctionElement[bool]):
    """Whether a column has one of some values, numbers or texts: `IN`, of any number of them."""

    type = Boolean()
    inherit_cache = True

    def __init__(self, column: InstrumentedAttribute[Any], values: Collection[Any] | str) -> None:
        """values: or the name of the statement's parameter that has them."""
        several = ARRAY(column.type).with_variant(_JsonText(), "sqlite")
        given: BindParameter[Any] = (
            bindparam(values, type_=several)
            if isinstance(values, str)
            else bindparam(None, list(values), type_=several, unique=True)
        )
        super().__init__(column, given)


@compiles(among, "postgresql")
def _on_postgres(element: among, compiler: SQLCompiler, **options: Any) -> str:
    column, values = (compiler.process(each, **options) for each in element.clauses)
    return f"({column} = ANY ({values}))"


@compiles(among, "sqlite")
def _on_sqlite(element: among, compiler: SQLCompiler, **options: Any) -> str:
    column, values = (compiler.process(each, **options) for each in element.clauses)
    return f"({column} IN (SELECT value FROM json_each({values})))"


class ColumnsUpdate:
    """Sets some columns of many rows, each by values of its own. Built once, and called often."""

    def __init__(
        self, model: type[Base], key: str, names: Sequence[str], same: Mapping[str, Any]
    ) -> None:
        """key: the column that names a row. same: what is set alike in all of them."""
        self._model, table = model, _table(model)
        # Not as the columns are called: SQLAlchemy would set these by parameters of their names.
        self._parameters = {key: f"of_{key}", **{each: f"to_{each}" for each in names}}
        given = self._parameters.items()
        new = select(*(_unnested(table.c[each], name).label(each) for each, name in given))
        rows = new.subquery()
        self._by_arrays = (
            update(table)
            .where(table.c[key] == rows.c[key])
            .values({**{each: rows.c[each] for each in names}, **same})
        )
        self._by_row = (
            update(table)
            .where(table.c[key] == bindparam(self._parameters[key]))
            .values({**{each: bindparam(self._parameters[each]) for each in names}, **same})
        )

    def __call__(self, session: Session, columns: Mapping[str, Sequence[Any]]) -> None:
        """columns: the key and the columns to set, of one length."""
        if session.get_bind().dialect.name == "postgresql":
            arrays = _arrays(self._model, {}, columns)
            session.execute(self._by_arrays, self._named(arrays))
        else:
            session.connection().execute(self._by_row, _rows({}, self._named(columns)))

    def _named(self, columns: Mapping[str, Any]) -> dict[str, Any]:
        return {self._parameters[each]: values for each, values in columns.items()}


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


def _unnested(column: Column[Any], parameter: str = "") -> ColumnElement[Any]:
    """parameter: the name of the one that has the column's values; empty: the column's."""
    name = parameter or column.name
    if isinstance(column.type, JSON):
        return func.json_array_elements(cast(bindparam(name, type_=Text), JSON), type_=column.type)
    if isinstance(column.type, Numbers):  # an array of arrays would be taken apart to its numbers
        return cast(func.unnest(bindparam(name, type_=ARRAY(Text))), column.type)
    return func.unnest(bindparam(name, type_=ARRAY(column.type)))
