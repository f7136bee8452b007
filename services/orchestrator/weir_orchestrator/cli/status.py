"""`weir status`: how far a campaign is."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer
from rich.table import Table

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
from weir_orchestrator.states import STATES
from weir_orchestrator.store import Store

__all__ = ["status"]


def status(
    campaign: Annotated[str, typer.Argument(help="Campaign file, or name of one in the store.")],
    store: StoreOption = DEFAULT_STORE,
    list_all: Annotated[bool, typer.Option("--all", help="List every run with its key.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Count a campaign's runs by state, and list what failed."""
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
    listed = [
        run for run in runs if list_all or states[run["key"]][0] in {"failed", "invalid", "running"}
    ]
    if not listed:
        return
    table = Table("run", "levels", "replicate", "state", "reason", box=None, pad_edge=False)
    for run in listed:
        state, reason = states[run["key"]]
        table.add_row(
            run["key"][:12], level_text(run["levels"]), str(run["replicate"] + 1), state, reason
        )
    output.print(table)
