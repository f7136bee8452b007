"""`weir reproduce`: carry a card's runs out again on this machine, and certify equal bytes."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Annotated, Any

import typer
from weir_engine.errors import BadInput
from weir_engine.states import FINISHED
from weir_engine.store import Store

from weir_orchestrator.cli import exits
from weir_orchestrator.cli.common import (
    DEFAULT_STORE,
    JsonOption,
    StoreOption,
    notes,
    output,
    print_json,
)
from weir_orchestrator.cli.local.replay import carry_out_again
from weir_orchestrator.cli.remote.connect import Connection, ServerOption, TeamOption, connected
from weir_orchestrator.cli.remote.fetch import bring

if TYPE_CHECKING:
    from weir_sdk import models

__all__ = ["reproduce"]


def reproduce(
    card: Annotated[str, typer.Argument(help="A card's id, or its page's address.")],
    at_most: Annotated[
        int | None, typer.Option("--at-most", min=1, help="Only so many of its runs.")
    ] = None,
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    team: TeamOption = None,
    as_json: JsonOption = False,
) -> int:
    """Carry a card's runs out again here, and compare every file with the server's, byte by byte.

    What the server has is fetched into the store first. Exit code 1 where a run differs, or is no
    longer there.
    """
    folder = Store(store)
    with connected(server, team) as to:
        kept = to.client.show_card(_id_of(card))
        asked = {run.key: run for run in kept.runs if run.state in FINISHED}
        runs = list(asked.values())[:at_most]
        if not runs:
            raise BadInput(f"CARD: {card} — none of its runs had ended well when it was kept")
        there = {run.key: found for run in runs if (found := _found(to, run)) is not None}
        missing = [run for key, run in there.items() if not _is_whole(folder, key)]
        bring(to, missing, folder)
    told: list[dict[str, Any]] = []
    for run in runs:
        told.append(_certified(folder, run) if run.key in there else _gone(run))
        if not as_json:
            output.print(_line(told[-1]), markup=False, soft_wrap=True)
    same = sum(each["same"] is True for each in told)
    if as_json:
        print_json({"card": str(kept.id), "name": kept.name, "same": same, "runs": told})
    else:
        left = len(asked) - len(runs)
        notes.print(
            f"{same} of {len(runs)} runs have equal bytes"
            + (f"; {left} were not asked for" if left else ""),
            markup=False,
        )
    return exits.OK if same == len(runs) else exits.NOT_GOOD


def _id_of(card: str) -> uuid.UUID:
    try:
        return uuid.UUID(card.partition("?")[0].rstrip("/").rpartition("/")[2])
    except ValueError:
        raise BadInput(
            f"CARD: {card} — no id of a card; take it, or the address, from the card's page"
        ) from None


def _found(to: Connection, run: models.CardRun) -> models.RunDetail | None:
    """That run at the server; None where it has been deleted since."""
    from weir_sdk import errors  # noqa: PLC0415 - slow to import

    try:
        found = to.client.show_run(run.id)
    except errors.NotFound:
        return None
    return found if found.key == run.key and found.state in FINISHED else None


def _is_whole(folder: Store, key: str) -> bool:
    return (folder.run_path(key) / "run.json").is_file()


def _certified(folder: Store, run: models.CardRun) -> dict[str, Any]:
    differences = carry_out_again(folder.run_path(run.key))
    return {"run": run.id, "key": run.key, "same": not differences, "differences": differences}


def _gone(run: models.CardRun) -> dict[str, Any]:
    return {"run": run.id, "key": run.key, "same": None, "differences": []}


def _line(told: dict[str, Any]) -> str:
    if told["same"] is None:
        return f"{told['key']} is no longer at the server"
    return f"{told['key']} " + (
        "same" if told["same"] else f"different: {', '.join(told['differences'])}"
    )
