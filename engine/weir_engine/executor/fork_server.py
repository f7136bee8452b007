"""A worker: a warm process that carries out one run after the other, each in a child.

The child is forked, so it starts with numpy and pyarrow imported, and whatever it does
(crash, leak, hang) ends with it. The worker keeps the wall-clock limit and writes the
failure of a child that can no longer do so itself.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from weir_engine.errors import is_disk_full
from weir_engine.executor.process import (
    GRACE_S,
    describe_exit,
    die_with_parent,
    end_group,
    end_leftovers,
)
from weir_engine.perform import Outcome, perform, record_failure
from weir_engine.states import FINISHED, now
from weir_engine.store import Store
from weir_engine.task import Environment, Task, wall_limit

__all__ = ["serve"]

_PROGRESS = (b'{"film_s"', b'{"ending"')
_CELL_GRACE_S = 15.0
"""For setting a cell's agents free, each of which ends a lab kernel first."""
_LATE_S = 20.0
"""The lab keeps the wall-clock limit itself; beyond this it has failed to."""


def serve(connection: Connection, environment: Environment, parent: int) -> None:
    """Take tasks from the connection and answer each with an outcome, until told to end."""
    die_with_parent(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _warm()
    while True:
        try:
            task = connection.recv()
        except EOFError:
            return
        if task is None:
            return
        outcome = _run(task, environment, connection)
        try:
            connection.send(outcome)
        except OSError:
            return


def _warm() -> None:
    """Load what every run needs, once for all children."""
    from weir import metrics, rundir  # noqa: F401, PLC0415 - here, and not where tasks are given
    from weir_lab import virtual  # noqa: F401, PLC0415


def _run(task: Task, environment: Environment, connection: Connection) -> Outcome:
    try:
        temporary = Store(environment.store).new_temporary(task.key)
    except OSError as error:
        full = is_disk_full(error)
        return {"state": "failed", "reason": str(error), "disk_full": full}
    started = now()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _child(task, environment, temporary, writing)
    os.close(writing)
    limit_s = wall_limit(task.experiment, environment.wall_limit_s)
    try:
        answer, why, lost = _await(
            child,
            reading,
            connection,
            limit_s + _LATE_S,
            _CELL_GRACE_S if task.placement else GRACE_S,
        )
    finally:
        os.close(reading)
    if answer is not None:
        return answer
    if why == "cancelled":
        shutil.rmtree(temporary, ignore_errors=True)
        return {"state": "cancelled", "reason": "interrupted", "disk_full": False}
    if not (temporary / "run").exists() and not task.replaces:
        # Its process may have ended badly after the run was put into the store.
        state, reason = Store(environment.store).states([task.key])[task.key]
        if state in FINISHED:
            shutil.rmtree(temporary, ignore_errors=True)
            return {"state": state, "reason": reason, "disk_full": False}
    return {**record_failure(task, environment, temporary, why, started), "lost": lost}


def _child(task: Task, environment: Environment, temporary: Path, writing: int) -> None:
    code = 1
    try:
        os.setpgid(0, 0)
        die_with_parent(os.getppid())
        signal.signal(signal.SIGTERM, _leave if task.placement else signal.SIG_DFL)
        outcome = perform(task, environment, temporary, lambda what: _tell(writing, what))
        _tell(writing, outcome)
        code = 0
    finally:
        os._exit(code)


def _leave(*_: Any) -> None:
    """Sets the cell's agents free on the way out; they would wait for this process in vain."""
    raise SystemExit


def _tell(writing: int, what: dict[str, Any]) -> None:
    os.write(writing, json.dumps(what).encode()[:4000] + b"\n")


def _await(
    child: int, reading: int, connection: Connection, limit_s: float, grace_s: float
) -> tuple[Outcome | None, str, bool]:
    """The child's outcome, or None and why there is none; whether it was killed from outside."""
    watched: list[Any] = [reading, connection]
    until_s = time.monotonic() + limit_s
    last = b""
    while True:
        ready, _, _ = select.select(watched, [], [], max(0.0, until_s - time.monotonic()))
        if reading not in ready:
            break
        lines = os.read(reading, 65536).splitlines()
        told = [line for line in lines if line.startswith(_PROGRESS)]
        for line in told:
            connection.send(json.loads(line))
        if len(told) < len(lines):
            last = lines[-1]
        if last or not lines:
            break
    if not ready:
        end_group(child, grace_s)
        why = (
            f"no end after {limit_s:.0f} s of wall time, also not when told to stop: ended by "
            "force. See log.txt; --wall-limit gives a run more time."
        )
        return None, why, False
    if reading not in ready:
        end_group(child, grace_s)
        return None, "cancelled", False
    status = os.waitpid(child, 0)[1]
    end_leftovers(child)
    if last:
        outcome: dict[str, Any] = json.loads(last)
        return outcome, "", False
    why = (
        f"the run's process ended without a result ({describe_exit(status)}). "
        "SIGKILL often means that memory ran out: try fewer --jobs. See log.txt."
    )
    return None, why, os.waitstatus_to_exitcode(status) == -signal.SIGKILL
