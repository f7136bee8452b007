"""The platform's settings from options and the environment, and its database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from weir_engine.errors import BadInput, CannotRun

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from weir_orchestrator.settings import Settings

__all__ = ["DataOption", "DatabaseOption", "ObjectsOption", "open_database", "read_settings"]

DataOption = Annotated[
    Path | None,
    typer.Option("--data", help="Folder of the embedded platform and of runs under way."),
]
DatabaseOption = Annotated[
    str | None,
    typer.Option("--database", help="postgresql+psycopg://USER@HOST/NAME; else SQLite in --data."),
]
ObjectsOption = Annotated[
    str | None,
    typer.Option("--store", help="s3://BUCKET/PREFIX?endpoint=URL or a folder; else in --data."),
]


def read_settings(**given: Any) -> Settings:
    """Options that were given, then WEIR_... variables, then defaults. Raises BadInput."""
    from pydantic import ValidationError  # noqa: PLC0415 - slow to import

    from weir_orchestrator.settings import Settings  # noqa: PLC0415

    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        told = [
            f"{'.'.join(map(str, each['loc']))}: {each['msg']}".removeprefix(": Value error, ")
            for each in error.errors(include_url=False, include_input=False)
        ]
        raise BadInput("\n".join(told)) from None


def open_database(settings: Settings) -> Engine:
    """The engine, once the database has answered. Raises BadInput, CannotRun."""
    from sqlalchemy.exc import OperationalError  # noqa: PLC0415

    from weir_orchestrator.db import connect  # noqa: PLC0415

    engine = connect(settings.database_url)
    try:
        engine.connect().close()
    except OperationalError as error:
        where = engine.url.render_as_string(hide_password=True)
        raise CannotRun(
            f"database: {where} — {str(error.orig).strip()}\n"
            "    Start the database, or name another one (--database, WEIR_DATABASE)."
        ) from None
    return engine
