"""What a database is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event

__all__ = ["after_the_first", "noted"]


@contextmanager
def noted(engine: Engine | type[Engine]) -> Iterator[list[str]]:
    """The statements that an engine, or any, is given from now on."""
    statements: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        statements.append(statement)

    event.listen(engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(engine, "before_cursor_execute", note)


@contextmanager
def after_the_first(engine: Engine, change: Callable[[], None]) -> Iterator[None]:
    """Something happens once the first statement from now on has been carried out."""
    left = [change]

    def act(*_: object) -> None:
        if left:
            left.pop()()

    event.listen(engine, "after_cursor_execute", act)
    try:
        yield
    finally:
        event.remove(engine, "after_cursor_execute", act)
    assert not left
