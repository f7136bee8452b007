"""`weir dispatch`: carry campaigns out on Kubernetes, by Argo Workflows."""

from __future__ import annotations

from weir_engine.errors import BadInput, CannotRun

from weir_orchestrator.cli.platform.extra import needs_server
from weir_orchestrator.cli.platform.settings import (
    DatabaseOption,
    ObjectsOption,
    open_database,
    read_settings,
)

__all__ = ["dispatch"]


@needs_server
def dispatch(database: DatabaseOption = None, store: ObjectsOption = None) -> int:
    """Turn campaigns into Argo workflows until told to stop (docs/cluster.md).

    Several may run: one of them works. Stopped or killed, it leaves workflows as they are.
    """
    from pydantic import ValidationError  # noqa: PLC0415 - slow to import
    from weir_engine import provenance  # noqa: PLC0415

    from weir_orchestrator.argo.cluster import Cluster  # noqa: PLC0415
    from weir_orchestrator.argo.dispatcher import Dispatcher  # noqa: PLC0415
    from weir_orchestrator.argo.leader import Leader  # noqa: PLC0415
    from weir_orchestrator.argo.own_kernels import OwnKernels  # noqa: PLC0415
    from weir_orchestrator.argo.settings import ArgoSettings  # noqa: PLC0415
    from weir_orchestrator.argo.watched import Watched  # noqa: PLC0415
    from weir_orchestrator.db import make_sessions, schema  # noqa: PLC0415
    from weir_orchestrator.objects import open_store  # noqa: PLC0415
    from weir_orchestrator.processes import process  # noqa: PLC0415
    from weir_orchestrator.work.claim import CLOCKS  # noqa: PLC0415
    from weir_orchestrator.work.kernels import Kernels  # noqa: PLC0415

    settings = read_settings(database=database, store=store)
    try:
        how = ArgoSettings()
    except ValidationError as error:
        told = [
            f"WEIR_ARGO_{each['loc'][0]}".upper() + f": {each['msg']}" for each in error.errors()
        ]
        raise BadInput("\n".join(told)) from None
    if settings.database_url.startswith("sqlite"):
        raise BadInput(
            "database: SQLite — pods cannot reach it; allowed: postgresql+psycopg://USER@HOST/NAME"
        )
    engine = open_database(settings)
    schema.check(engine)
    kernels = Kernels(provenance.roles()["hash"], CLOCKS)
    if not kernels.versions().kernels:
        raise CannotRun("no lab kernel is built yet: `weir kernel build` builds it")
    cluster = Cluster(how.namespace)
    sessions, leader = make_sessions(engine), Leader(engine)
    objects, takes = open_store(settings.store_url), settings.takes_kernel_code
    own = OwnKernels(sessions, objects, kernels.versions, takes)
    dispatcher = Dispatcher(how, sessions, cluster, Watched(cluster), own, leader)
    process.start(dispatcher.stop)
    dispatcher.run()
    return 0
