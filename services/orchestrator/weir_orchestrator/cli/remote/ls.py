"""`weir ls`: campaigns at a server; `weir logs`: what a run said."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from weir_orchestrator.cli.common import JsonOption, notes, output, print_json
from weir_orchestrator.cli.remote.connect import ServerOption, TeamOption, connected
from weir_orchestrator.cli.remote.watch import counted

__all__ = ["logs", "ls"]


def ls(
    server: ServerOption = None,
    team: TeamOption = None,
    state: Annotated[
        list[str] | None, typer.Option("--state", help="Only active, finished, ... Repeatable.")
    ] = None,
    name: Annotated[str | None, typer.Option("--name", help="Only of this name.")] = None,
    most: Annotated[int, typer.Option("--most", min=1, help="The newest so many.")] = 20,
    as_json: JsonOption = False,
) -> None:
    """List a team's campaigns, newest first."""
    with connected(server, team) as to:
        every = to.client.list_campaigns(to.team, state=state, name=name, limit=min(most + 1, 500))
        found = list(islice(every, most + 1))
    if as_json:
        print_json([each.model_dump(mode="json") for each in found[:most]])
        return
    table = Table("id", "name", "state", "runs", "submitted", box=None, pad_edge=False)
    for each in found[:most]:
        submitted = each.created_at.astimezone().strftime("%Y-%m-%d %H:%M")
        cells = (str(each.id), each.name, each.state, counted(each.counts), submitted)
        table.add_row(*map(Text, cells))
    output.print(table)
    if len(found) > most:
        notes.print(f"... and older ones (--most {most * 10} lists more)", markup=False)


def logs(
    run: Annotated[int, typer.Argument(min=1, help="Run's number, as `weir status` tells.")],
    server: ServerOption = None,
    team: TeamOption = None,
) -> None:
    """Print what the lab kernel and the roles of an ended run said."""
    with connected(server, team) as to:
        typer.echo(to.client.show_run_log(run), nl=False)
