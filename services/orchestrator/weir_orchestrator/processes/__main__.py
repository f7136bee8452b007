"""The platform's processes, as the supervisor starts them; settings come by the environment.

python -m weir_orchestrator.processes api | housekeeper | worker [ID [ID OF A DEAD ONE ...]]
"""

from __future__ import annotations

import gc
import os
import socket
import sys
import threading
import uuid

from weir.errors import WeirError
from weir_engine import provenance

from weir_orchestrator.processes import process
from weir_orchestrator.settings import Settings
from weir_orchestrator.submission import library

LISTEN_FD = "WEIR_LISTEN_FD"


def main(program: str, *ids: str) -> None:
    # What a start imports and makes stays: to look for garbage in it takes a sixth of the start.
    gc.disable()
    if program == "api":
        _api()
    elif program == "housekeeper":
        _housekeeper()
    else:
        _worker(*map(uuid.UUID, ids))


def _api() -> None:
    process.start()
    from weir_orchestrator.api.app import make_app  # noqa: PLC0415 - by this process only
    from weir_orchestrator.api.server import server_of  # noqa: PLC0415

    threading.Thread(target=_read_ahead, name="read ahead", daemon=True).start()
    listening = socket.socket(fileno=int(os.environ.pop(LISTEN_FD)))
    server = server_of(make_app(Settings()))
    _made()
    server.run(sockets=[listening])


def _made() -> None:
    """From here on garbage is looked for, in what is made later."""
    gc.freeze()
    gc.enable()


def _read_ahead() -> None:
    """What is kept for all submissions; the first one would wait half a second for it."""
    library.campaigns()
    provenance.roles()


def _housekeeper() -> None:
    from weir_orchestrator.housekeeping.housekeeper import Housekeeper  # noqa: PLC0415

    housekeeper = Housekeeper(Settings())
    process.start(housekeeper.stop)
    _made()
    housekeeper.run()


def _worker(worker_id: uuid.UUID | None = None, *dead: uuid.UUID) -> None:
    from weir_orchestrator.work.worker import Worker  # noqa: PLC0415

    worker = Worker(Settings(), worker_id, dead)
    process.start(worker.drain)
    _made()
    worker.run()


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except WeirError as error:
        sys.exit(f"weir {sys.argv[1]}: {error}")
