"""`weir bisect`: which commit moved a schedule's night, at a server."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Final

import typer

from weir_orchestrator.cli import exits
from weir_orchestrator.cli.common import JsonOption, notes, output, print_json
from weir_orchestrator.cli.remote.connect import (
    Connection,
    ServerOption,
    TeamOption,
    connected,
    find_campaign,
    find_schedule,
)

if TYPE_CHECKING:
    from weir_sdk.models import BisectionOut

__all__ = ["bisect"]

_LOOK_EVERY_S: Final = 2.0


def bisect(
    schedule: Annotated[str, typer.Argument(help="Schedule's name or id.")],
    bad: Annotated[
        str,
        typer.Option(
            "--bad",
            help="Campaign of the night in which results changed, for the worse or otherwise.",
        ),
    ],
    good: Annotated[
        str | None,
        typer.Option(
            "--good", help="Campaign of a night before; by default the bad one's baseline."
        ),
    ] = None,
    subject: Annotated[
        str | None, typer.Option("--subject", help="Which file, where several changed.")
    ] = None,
    server: ServerOption = None,
    team: TeamOption = None,
    as_json: JsonOption = False,
) -> int:
    """Run the commits between two nights, halving them, and name the first that moved results.

    Of a night of which nothing is shown, that is the first that changes any number.
    Ctrl-C ends the watching only. Exit code 1 where it was not found.
    """
    with connected(server, team) as to:
        found = find_schedule(to, schedule)
        before = find_campaign(to, good).id if good else None
        begun = to.client.begin_bisection(found.id, find_campaign(to, bad).id, before, subject)
        notes.print(f"{begun.left} commits of {begun.subject} to choose from", markup=False)
        ended = _followed(to, begun)
    if as_json:
        print_json(ended.model_dump(mode="json"))
    else:
        for line in ended.told:
            output.print(line, markup=False)
    return 0 if ended.state == "found" else exits.NOT_GOOD


def _followed(to: Connection, bisection: BisectionOut) -> BisectionOut:
    told = 0
    while True:
        bisection = to.client.show_bisection(bisection.id)
        for step in bisection.steps[told:]:
            why = step.told[0] if step.told else ""
            notes.print(f"{step.commit[:12]} {step.outcome}: {why}", markup=False)
        told = len(bisection.steps)
        if bisection.state != "running":
            return bisection
        time.sleep(_LOOK_EVERY_S)
