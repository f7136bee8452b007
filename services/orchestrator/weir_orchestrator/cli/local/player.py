"""`weir player`: the players of others that this machine keeps."""

from __future__ import annotations

from typing import Annotated

import typer
from weir.dashjs import VERSIONS
from weir.errors import WeirError
from weir_engine.errors import BadInput, CannotRun

from weir_orchestrator.cli import exits
from weir_orchestrator.cli.common import JsonOption, notes, output, print_json

__all__ = ["app"]

app = typer.Typer(
    help="Fetch and list players of others: dash.js.", no_args_is_help=True, rich_markup_mode=None
)


@app.command(epilog=exits.HELP)
def fetch(
    versions: Annotated[
        list[str] | None, typer.Argument(help="Of dash.js; all, where none is named.")
    ] = None,
) -> None:
    """Fetch dash.js by npm, and build what Node.js lacks for it; what is there stays."""
    from weir_lab import players  # noqa: PLC0415

    for version in versions or []:
        if version not in VERSIONS:
            raise BadInput(f"{version}: no version that Weir knows ({', '.join(VERSIONS)})")
    try:
        players.fetch(versions or VERSIONS, lambda text: notes.print(text, markup=False))
    except (WeirError, OSError) as error:
        raise CannotRun(str(error)) from error


@app.command("list", epilog=exits.HELP)
def listing(as_json: JsonOption = False) -> None:
    """List the versions of dash.js, and whether this machine can play them."""
    from weir_lab import players  # noqa: PLC0415

    rows = [{"version": each, "lacking": players.lacking(each) or None} for each in VERSIONS]
    if as_json:
        print_json(rows)
        return
    for row in rows:
        output.print(f"dashjs {row['version']}  {row['lacking'] or 'ready'}", markup=False)
