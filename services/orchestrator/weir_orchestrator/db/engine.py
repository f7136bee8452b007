"""The engine of a database URL, set up alike everywhere."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, Select, create_engine, event, literal, make_url, select
from sqlalchemy.engine.interfaces import DBAPIConnection, ExecutionContext
from sqlalchemy.exc import ArgumentError, NoSuchModuleError
from sqlalchemy.orm import Session, sessionmaker
from weir_engine.errors import BadInput

__all__ = ["BINARY", "connect", "finds", "make_sessions", "reading", "singly"]

BINARY: Final = {"binary": True}
"""Execution options of a query of which Postgres sends bytes as they are, and not as their digits:
half of them, where there are millions."""
_BUSY_S = 30

# A host that goes away without a word (its container, network or machine gone) would leave whoever
# waits for its answer waiting for two hours: libpq's settings, which the URL may set otherwise.
_SILENCE = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 4,
    "tcp_user_timeout": 30_000,
}
_NOT_COMPILED = {"options": "-c jit=off"}
"""Compiling costs Postgres a tenth of a second for each statement that it expects to read much, and
ours then run for less."""
_DIALECTS = {"sqlite": "sqlite:///FILE", "postgresql": "postgresql+psycopg://USER@HOST/DATABASE"}


def connect(url: str, *, retried: bool = False) -> Engine:
    """The engine for SQLite or Postgres. Connects when first used. Raises BadInput.

    retried: whoever uses it tries again what failed, so that connections are not tried first.
    """
    try:
        parsed = make_url(url)
    except ArgumentError:
        parsed = None
    if parsed is None or parsed.get_backend_name() not in _DIALECTS:
        shown = "that URL" if parsed is None else parsed.render_as_string(hide_password=True)
        raise BadInput(f"database: {shown} — allowed: {' or '.join(_DIALECTS.values())}")
    if parsed.get_backend_name() == "sqlite":
        if parsed.database:
            Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
        engine = create_engine(
            parsed,
            connect_args={"timeout": _BUSY_S, "isolation_level": None},
            hide_parameters=True,
        )
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    try:
        engine = create_engine(
            parsed,
            connect_args={**_SILENCE, **_NOT_COMPILED, **parsed.query},
            pool_size=20,
            max_overflow=20,
            pool_pre_ping=not retried,
            hide_parameters=True,
        )
    except (NoSuchModuleError, ModuleNotFoundError):
        shown = parsed.render_as_string(hide_password=True)
        raise BadInput(f"database: {shown} — allowed: {_DIALECTS['postgresql']}") from None
    event.listen(engine, "before_cursor_execute", _as_asked)
    return engine


def make_sessions(engine: Engine, *, read_only: bool = False) -> sessionmaker[Session]:
    """Sessions whose objects stay readable after the commit.

    read_only: for transactions that write nothing; on SQLite they do not wait for writers.
    """
    bound = engine.execution_options(read_only=True) if read_only else engine
    return sessionmaker(bound, expire_on_commit=False)


# Weakly, for an engine that nobody has any more would keep all statements that it has compiled.
_READING: WeakKeyDictionary[sessionmaker[Session], sessionmaker[Session]] = WeakKeyDictionary()
_SINGLY: WeakKeyDictionary[sessionmaker[Session], sessionmaker[Session]] = WeakKeyDictionary()


def reading(sessions: sessionmaker[Session]) -> sessionmaker[Session]:
    """The same for transactions that write nothing: on SQLite nobody waits for them."""
    if sessions not in _READING:
        _READING[sessions] = make_sessions(sessions.kw["bind"], read_only=True)
    return _READING[sessions]


def singly(sessions: sessionmaker[Session]) -> sessionmaker[Session]:
    """The same for transactions of one statement: Postgres needs no word before and after it."""
    engine = sessions.kw["bind"]
    if engine.dialect.name != "postgresql":
        return sessions
    if sessions not in _SINGLY:
        alone = engine.execution_options(isolation_level="AUTOCOMMIT")
        _SINGLY[sessions] = sessionmaker(alone, expire_on_commit=False)
    return _SINGLY[sessions]


def finds(sessions: sessionmaker[Session], query: Select[Any], **asked: Any) -> bool:
    """Whether there is a row: a cheap look before a transaction that locks.

    query: one that lives as long as the program. asked: its parameters.
    """
    with singly(sessions)() as session:
        return bool(session.scalar(_exists(query), asked))


# Looked at every other second for ever, and building it takes longer than asking.
@cache
def _exists(query: Select[Any]) -> Select[tuple[bool]]:
    return select(query.with_only_columns(literal(1), maintain_column_froms=True).exists())


def _begin_sqlite(connection: Connection) -> None:
    # A transaction that reads first and writes later fails at once where another one wrote in
    # between; taking the write lock at the start waits instead.
    read_only = connection.get_execution_options().get("read_only", False)
    connection.exec_driver_sql("BEGIN" if read_only else "BEGIN IMMEDIATE")


def _set_up_sqlite(connection: DBAPIConnection, record: Any) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _as_asked(
    connection: Connection,
    cursor: Any,
    statement: str,
    parameters: Any,
    context: ExecutionContext | None,
    executemany: bool,
) -> None:
    if context is not None and context.execution_options.get("binary"):
        from psycopg.pq import Format  # noqa: PLC0415 - it is there where Postgres is

        cursor.format = Format.BINARY
