"""`weir player`: the players of others that this machine keeps."""

from __future__ import annotations

from typing import Annotated

import typer
from weir.errors import WeirError
from weir.programs import PINNED
from weir_engine.errors import BadInput, CannotRun

from weir_orchestrator.cli import exits
from weir_orchestrator.cli.common import JsonOption, notes, output, print_json

__all__ = ["app"]

app = typer.Typer(
    help="Fetch and list players of others: dash.js, hls.js, shaka-player.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command(epilog=exits.HELP)
def fetch(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="PLAYER[@VERSION]", help="All, where none is named."),
    ] = None,
) -> None:
    """Fetch players by npm, and build what Node.js lacks for them; what is there stays."""
    from weir_lab import players  # noqa: PLC0415

    wanted = [each for name in names or [] for each in _named(name)]
    try:
        players.fetch(wanted or players.ALL, lambda text: notes.print(text, markup=False))
    except (WeirError, OSError) as error:
        raise CannotRun(str(error)) from error


def _named(name: str) -> list[tuple[str, str]]:
    player, _, version = name.partition("@")
    if player not in PINNED:
        raise BadInput(f"{name}: no player that Weir knows ({', '.join(PINNED)})")
    versions = PINNED[player].versions
    if version and version not in versions:
        raise BadInput(f"{name}: no version that Weir knows ({', '.join(versions)})")
    return [(player, each) for each in versions if version in ("", each)]


@app.command("list", epilog=exits.HELP)
def listing(as_json: JsonOption = False) -> None:
    """List the players of others, and whether this machine can play them."""
    from weir_lab import players  # noqa: PLC0415

    rows = [
        {"player": player, "version": version, "lacking": players.lacking(player, version) or None}
        for player, version in players.ALL
    ]
    if as_json:
        print_json(rows)
        return
    for row in rows:
        said = row["lacking"] or "ready"
        output.print(f"{row['player']} {row['version']}  {said}", markup=False)
