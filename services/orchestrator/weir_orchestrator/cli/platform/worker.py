"""`weir worker`: carry out the runs of a platform that runs elsewhere."""

from __future__ import annotations

import uuid
from typing import Annotated

import typer
from weir_engine.errors import BadInput

from weir_orchestrator.cli import exits
from weir_orchestrator.cli.platform.extra import needs_server
from weir_orchestrator.cli.platform.settings import (
    DatabaseOption,
    DataOption,
    ObjectsOption,
    open_database,
    read_settings,
)

__all__ = ["worker"]


@needs_server
def worker(
    data: DataOption = None,
    database: DatabaseOption = None,
    store: ObjectsOption = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=0, help="Runs at a time; 0: one per core.")
    ] = None,
    campaign: Annotated[
        uuid.UUID | None, typer.Option("--campaign", help="Id of the only campaign to work on.")
    ] = None,
    until_idle: Annotated[
        bool, typer.Option("--until-idle", help="End when there is nothing to claim.")
    ] = False,
    at_most: Annotated[
        int | None, typer.Option("--at-most", min=1, help="End after so many runs.")
    ] = None,
    build_kernels: Annotated[
        bool,
        typer.Option(
            "--build-kernels",
            help="Carry out no runs: build the campaign's own kernels, keep them in the object "
            "store, and end.",
        ),
    ] = False,
) -> int:
    """Claim runs and carry them out until told to stop.

    With --campaign, --until-idle or --at-most it carries out a batch, which also ends when its
    container's memory runs out: with exit code 137, and the run that met it is tried again.
    SIGTERM or Ctrl-C: what runs is finished; again: it is given back at once.
    """
    from weir_orchestrator.processes import process  # noqa: PLC0415 - slow to import
    from weir_orchestrator.work.batch import Batch  # noqa: PLC0415
    from weir_orchestrator.work.builder import Builder  # noqa: PLC0415
    from weir_orchestrator.work.worker import Worker  # noqa: PLC0415

    settings = read_settings(data=data, database=database, store=store, jobs=jobs)
    open_database(settings).dispose()
    if build_kernels:
        if campaign is None:
            raise BadInput("--build-kernels: of which campaign? Give its id: --campaign ID")
        builder = Builder(settings, campaign)
        process.start(builder.stop)
        builder.run()
        return exits.OK
    batch = Batch(campaign, until_idle, at_most)
    one = Worker(settings, batch=batch)
    process.start(one.drain)
    one.run()
    return exits.OUT_OF_MEMORY if one.out_of_memory else exits.OK
