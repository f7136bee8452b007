"""`weir up`: the whole platform on this machine."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from weir_engine.errors import BadInput, CannotRun

from weir_orchestrator.cli.common import find_kernel, output
from weir_orchestrator.cli.platform.extra import needs_server
from weir_orchestrator.cli.platform.settings import (
    DatabaseOption,
    DataOption,
    ObjectsOption,
    open_database,
    read_settings,
)

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from weir_orchestrator.settings import Settings

__all__ = ["environment", "make_local", "up"]


@needs_server
def up(
    data: DataOption = None,
    database: DatabaseOption = None,
    store: ObjectsOption = None,
    host: Annotated[str | None, typer.Option("--host", help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option("--port", help="0: any free one.")] = None,
    auth: Annotated[
        str | None, typer.Option("--auth", help="login, or none (on loopback only).")
    ] = None,
    workers: Annotated[
        int, typer.Option("--workers", min=0, help="Worker processes; 0: they run elsewhere.")
    ] = 1,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=0, help="Runs at a time; 0: one per core.")
    ] = None,
) -> int:
    """Start the API, workers and the housekeeper, and keep them running.

    Without options: SQLite and a folder below ./weir-data, this machine only, no login.
    Ctrl-C or SIGTERM: what runs is finished; again: it is given back; a third time: at once.
    """
    from weir_orchestrator.objects import open_store  # noqa: PLC0415 - slow to import
    from weir_orchestrator.processes import process  # noqa: PLC0415
    from weir_orchestrator.processes.__main__ import LISTEN_FD  # noqa: PLC0415
    from weir_orchestrator.processes.supervise import (  # noqa: PLC0415
        Program,
        Supervisor,
        WorkerProgram,
    )

    settings = read_settings(
        data=data, database=database, store=store, host=host, port=port, auth=auth, jobs=jobs
    )
    if workers:
        find_kernel()
    _prepare(settings)
    open_store(settings.store_url).check()
    with _listen(settings) as listening:
        api = Program("api", pass_fds=[listening.fileno()])
        programs = [api, Program("housekeeper"), *(WorkerProgram() for _ in range(workers))]
        listen = {LISTEN_FD: str(listening.fileno())}
        supervisor = Supervisor(programs, {**environment(settings), **listen})
        process.start(supervisor.stop)
        output.print(f"Weir is at {_url(settings, listening)}", markup=False)
        supervisor.run()
    return 0


def _prepare(settings: Settings) -> None:
    """The schema, and without login the team and the user that everybody is."""
    from weir_orchestrator.db import make_sessions, schema  # noqa: PLC0415

    settings.data.mkdir(parents=True, exist_ok=True)
    engine = open_database(settings)
    schema.upgrade(engine)
    if settings.auth == "none":
        with make_sessions(engine).begin() as session:
            make_local(session)
    engine.dispose()


def make_local(session: Session) -> None:
    """Team `local` and its administrator, where nobody administers the installation yet."""
    from sqlalchemy import select  # noqa: PLC0415

    from weir_orchestrator.db import Membership, Team, User  # noqa: PLC0415

    if session.scalars(select(User.id).where(User.is_admin).limit(1)).first():
        return
    team = Team(slug="local", name="Local")
    user = User(email="local@localhost", name="local", is_admin=True)
    session.add_all([team, user])
    session.flush()
    session.add(Membership(team_id=team.id, user_id=user.id, role="admin"))


def _listen(settings: Settings) -> socket.socket:
    """Bound here, so that a restart of the API refuses nobody. Raises BadInput, CannotRun."""
    try:
        return socket.create_server(
            (settings.host, settings.port),
            family=socket.AF_INET6 if ":" in settings.host else socket.AF_INET,
            backlog=2048,
        )
    except OSError as error:
        where = f"{settings.host} port {settings.port}"
        kind = BadInput if isinstance(error, socket.gaierror) else CannotRun
        raise kind(f"cannot listen on {where}: {error.strerror}; give another --port") from None


def _url(settings: Settings, listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    return settings.public_url or f"http://{shown}:{port}"


def environment(settings: Settings) -> dict[str, str]:
    """These settings for child processes: passwords in URLs stay out of command lines."""
    given = settings.model_dump(mode="json", exclude={"oidc", "agent_token"}, exclude_none=True)
    given["data"] = str(Path(settings.data).absolute())
    return {**os.environ, **{f"WEIR_{name.upper()}": str(value) for name, value in given.items()}}
