"""`weir db`: the platform's schema."""

from __future__ import annotations

from typing import Annotated

import typer

from weir_orchestrator.cli.common import output
from weir_orchestrator.cli.platform.extra import needs_server
from weir_orchestrator.cli.platform.settings import (
    DatabaseOption,
    DataOption,
    open_database,
    read_settings,
)

__all__ = ["app"]

app = typer.Typer(help="The platform's database schema.", no_args_is_help=True)


@app.command()
@needs_server
def upgrade(
    revision: Annotated[str, typer.Argument(help="The revision to bring it to.")] = "head",
    data: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    """Build the schema, or bring it up to date."""
    from weir_orchestrator.db import schema  # noqa: PLC0415 - slow to import

    schema.upgrade(open_database(read_settings(data=data, database=database)), revision)
    output.print(f"the database is at revision {revision}", markup=False)


@app.command()
@needs_server
def downgrade(
    revision: Annotated[str, typer.Argument(help="The revision; base: no tables at all.")],
    data: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    """Bring the schema back to an older revision. Data that it has no place for is lost."""
    from weir_orchestrator.db import schema  # noqa: PLC0415

    schema.downgrade(open_database(read_settings(data=data, database=database)), revision)
    output.print(f"the database is at revision {revision}", markup=False)


@app.command()
@needs_server
def check(data: DataOption = None, database: DatabaseOption = None) -> None:
    """Say whether the schema is the one that this program needs."""
    from weir_orchestrator.db import schema  # noqa: PLC0415

    schema.check(open_database(read_settings(data=data, database=database)))
    output.print("the database is as this program needs it")
