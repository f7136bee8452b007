"""`weir fetch`: bring run directories from a server into a store on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from weir_engine import jsonfile
from weir_engine.errors import BadInput
from weir_engine.states import FINISHED, OPEN
from weir_engine.store import Store

from weir_orchestrator.cli.common import (
    DEFAULT_STORE,
    JsonOption,
    StoreOption,
    errors,
    notes,
    output,
    print_json,
)
from weir_orchestrator.cli.remote.connect import (
    Connection,
    ServerOption,
    TeamOption,
    connected,
    find_campaign,
)

if TYPE_CHECKING:
    from typing import TypeAlias

    from weir_sdk import models

    Run: TypeAlias = models.RunOut | models.RunDetail

__all__ = ["bring", "fetch"]

_AT_ONCE: Final = 4
_WITH_FILES: Final = (*FINISHED, "failed")


def fetch(
    what: Annotated[
        str, typer.Argument(metavar="RUN|CAMPAIGN", help="Run's number, or campaign's id or name.")
    ],
    store: StoreOption = DEFAULT_STORE,
    state: Annotated[
        list[str] | None,
        typer.Option("--state", help="Only runs in this state; default: all with files."),
    ] = None,
    server: ServerOption = None,
    team: TeamOption = None,
    as_json: JsonOption = False,
) -> None:
    """Bring run directories into a store, where `weir show`, `report` and `export` find them.

    The same command again goes on where it was interrupted; what is there is not fetched again.
    """
    wanted = tuple(state or _WITH_FILES)
    if unknown := set(wanted) - set(_WITH_FILES):
        allowed = ", ".join(_WITH_FILES)
        raise BadInput(f"--state: {', '.join(sorted(unknown))} — allowed: {allowed}")
    folder = Store(store)
    with connected(server, team) as to:
        if what.isdecimal():
            runs: Sequence[Run] = [_ended(to, int(what))]
        else:
            runs = _campaign(to, what, folder)
        to_do = {run.key: run for run in runs if run.state in wanted and not _is_there(folder, run)}
        with _interruptible(folder):
            bring(to, list(to_do.values()), folder)
    open_runs = sum(run.state in OPEN for run in runs)
    if as_json:
        told = {"fetched": len(to_do), "runs": len(runs), "not_ended": open_runs}
        print_json({"store": str(folder.root), **told})
        return
    output.print(f"{len(to_do)} runs fetched into {folder.root}", markup=False)
    if open_runs:
        notes.print(f"{open_runs} runs have not ended: fetch again later", markup=False)


def _ended(to: Connection, number: int) -> Run:
    run = to.client.show_run(number)
    if run.state not in _WITH_FILES:
        raise BadInput(f"RUN: {number} — is {run.state}: it has no files until it has ended")
    return run


def _campaign(to: Connection, asked: str, folder: Store) -> Sequence[Run]:
    """All runs of a campaign, whose record is written as `weir run` does."""
    campaign = find_campaign(to, asked)
    runs = list(to.client.list_runs(campaign.id))
    asked_for = to.client.show_campaign_document(campaign.id)
    record: dict[str, Any] = {
        "format": 1,
        "name": campaign.name,
        "description": campaign.description,
        "spec": asked_for.spec,
        "factors": campaign.factors,
        "paper": asked_for.paper,
        "runs": [
            {
                "key": run.key,
                "levels": run.levels,
                "replicate": run.replicate,
                "seed": int(run.seed),
            }
            for run in runs
        ],
    }
    jsonfile.write_atomic(folder.campaign_path(campaign.name), record)
    return runs


def _is_there(folder: Store, run: Run) -> bool:
    failed = run.state == "failed"
    path = folder.failed_path(run.key) if failed else folder.run_path(run.key)
    return (path / "run.json").is_file()


def bring(to: Connection, runs: Sequence[Run], folder: Store) -> None:
    """Run directories of ended runs into a store; the same again goes on where it was."""
    columns = (TextColumn("fetching"), BarColumn(bar_width=24), MofNCompleteColumn())
    with (
        Progress(*columns, console=notes, disable=not notes.is_terminal) as bar,
        ThreadPoolExecutor(_AT_ONCE) as pool,
    ):
        task = bar.add_task("runs", total=len(runs))
        under_way = [pool.submit(_bring_one(to, run, folder)) for run in runs]
        try:
            for done in as_completed(under_way):
                done.result()
                bar.advance(task)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _bring_one(to: Connection, run: Run, folder: Store) -> Callable[[], None]:
    def bring() -> None:
        # Not below tmp/, which `weir run` sweeps: what is whole there is not fetched again.
        part = folder.root / "fetching" / run.key
        to.client.download_run(run.id, part)
        if run.state == "failed":
            folder.fail(part, run.key)
        else:
            folder.finish(part, run.key)

    return bring


@contextmanager
def _interruptible(folder: Store) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        errors(f"what was fetched is kept in {folder.root}; the same command again goes on")
        raise
