"""`weir worker`: carry out the runs of a platform that runs elsewhere."""

from __future__ import annotations

from typing import Annotated

import typer

from weir_orchestrator.cli.settings import (
    DatabaseOption,
    DataOption,
    ObjectsOption,
    open_database,
    read_settings,
)

__all__ = ["worker"]


def worker(
    data: DataOption = None,
    database: DatabaseOption = None,
    store: ObjectsOption = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=0, help="Runs at a time; 0: one per core.")
    ] = None,
) -> int:
    """Claim runs and carry them out until told to stop.

    SIGTERM or Ctrl-C: what runs is finished; again: it is given back at once.
    """
    from weir_orchestrator.work import process  # noqa: PLC0415 - slow to import
    from weir_orchestrator.work.worker import Worker  # noqa: PLC0415

    settings = read_settings(data=data, database=database, store=store, jobs=jobs)
    open_database(settings).dispose()
    one = Worker(settings)
    process.start(one.drain)
    one.run()
    return 0
