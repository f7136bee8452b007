"""Keyset pagination: a page, and the cursor of the next one."""

from __future__ import annotations

import csv
from typing import Annotated, Any, Final, Generic, TypeVar

from fastapi import Query
from pydantic import BaseModel, Field
from sqlakeyset import select_page
from sqlalchemy import Select
from sqlalchemy.exc import (
    ArgumentError,
    DataError,
    DBAPIError,
    ProgrammingError,
    StatementError,
)
from sqlalchemy.orm import Session

from weir_orchestrator.errors import FieldProblem, Unprocessable

__all__ = ["UNREADABLE", "Cursor", "Limit", "Page", "page_of"]

Item = TypeVar("Item")
Limit = Annotated[int, Query(ge=1, le=500, description="Items on a page.")]
Cursor = Annotated[
    str | None, Query(max_length=2000, description="`next` of the page before; empty: the first.")
]

UNREADABLE: Final = (
    *(ValueError, TypeError, KeyError, AttributeError, ArithmeticError),
    csv.Error,
)
"""What it may raise to read a cursor that none of ours is."""


class Page(BaseModel, Generic[Item]):
    """Some items of a list."""

    items: list[Item] = Field(description="In order.")
    next: str | None = Field(
        default=None, description="Cursor of the page after; null on the last."
    )


def page_of(
    session: Session, query: Select[*tuple[Any, ...]], limit: int, cursor: str | None
) -> tuple[list[Any], str | None]:
    """The rows of a page of an ordered query, and the cursor after it. Raises Unprocessable."""
    try:
        page = select_page(session, query, per_page=limit, page=cursor)
    except (*UNREADABLE, ArgumentError, StatementError) as error:
        if cursor is None or _is_the_databases_own(error):
            raise
        problem = FieldProblem(
            path="cursor", value=cursor, allowed="`next` of an earlier answer", remedy="leave out"
        )
        raise Unprocessable("1 problem", [problem]) from error
    return list(page), page.paging.bookmark_next if page.paging.has_next else None


def _is_the_databases_own(error: Exception) -> bool:
    """Whether it says nothing of the values that a statement was given."""
    of_values = (DataError, ProgrammingError)
    return isinstance(error, DBAPIError) and not isinstance(error, of_values)
