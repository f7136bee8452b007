"""`weir status`: how far a campaign is."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer
from weir_engine.states import STATES, TROUBLES
from weir_engine.store import Store

from weir_orchestrator.cli.common import (
    DEFAULT_STORE,
    JsonOption,
    StoreOption,
    level_text,
    name_of_file,
    output,
    print_json,
    record_of,
)
from weir_orchestrator.cli.remote.connect import ServerOption, TeamOption
from weir_orchestrator.cli.remote.results import status_of

__all__ = ["status"]

_LISTED = 20


def status(
    campaign: Annotated[str, typer.Argument(help="Campaign file, or name of one in the store.")],
    store: StoreOption = DEFAULT_STORE,
    list_all: Annotated[bool, typer.Option("--all", help="List every run with its key.")] = False,
    server: ServerOption = None,
    team: TeamOption = None,
    as_json: JsonOption = False,
) -> None:
    """Count a campaign's runs by state, and list what failed; with --server: of one there."""
    if server:
        status_of(campaign, server, team, None if list_all else _LISTED, as_json)
        return
    folder = Store(store)
    record = record_of(campaign, folder, name_of_file)
    runs = record["runs"]
    states = folder.states(run["key"] for run in runs)
    counts = Counter(states[run["key"]][0] for run in runs)
    if as_json:
        rows = [
            {**run, "state": states[run["key"]][0], "reason": states[run["key"]][1]} for run in runs
        ]
        print_json({"campaign": record["name"], "counts": counts, "runs": rows})
        return
    told = ", ".join(f"{counts[state]} {state}" for state in STATES if counts[state])
    output.print(f"{record['name']}: {len(runs)} runs — {told or 'none'}", markup=False)
    listed = [run for run in runs if list_all or states[run["key"]][0] in {*TROUBLES, "running"}]
    for run in listed if list_all else listed[:_LISTED]:
        state, reason = states[run["key"]]
        where = f"{level_text(run['levels'])} replicate {run['replicate'] + 1}".strip()
        told = f": {reason}" if reason else ""
        output.print(f"  {run['key'][:12]} {state:<9} {where}{told}", markup=False)
    if not list_all and len(listed) > _LISTED:
        output.print(f"  ... and {len(listed) - _LISTED} more (--all lists them)", markup=False)
