"""One run from start to end: cell, metrics, run directory."""

from __future__ import annotations

import platform
import shutil
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weir.errors import RunFailure, WeirError
from weir.notes import notes
from weir.rundir.records import Check

from weir_engine import jsonfile
from weir_engine.errors import is_disk_full
from weir_engine.states import History, move, now
from weir_engine.store import Store
from weir_engine.task import Environment, Task, kernel_of, wall_limit

if TYPE_CHECKING:
    from weir_lab.real.remote import Address

__all__ = [
    "ROOM_BYTES",
    "Outcome",
    "Tell",
    "perform",
    "record_failure",
    "room_bytes",
    "write_run",
]

ROOM_BYTES = 8_000_000
"""With less than this left, a failure is put down to the disk: a guest that meets a
full disk reports input/output errors of many kinds."""

Tell = Callable[[dict[str, Any]], None]
"""Told {"film_s": seconds of film so far}, on the real clock, and {"ending": True} when the cell is
over and its results are being written."""

Outcome = dict[str, Any]
"""{"state", "reason", "disk_full": bool, "lost": bool (where true)}; plain, to cross a pipe."""


def perform(
    task: Task, environment: Environment, temporary: Path, tell: Tell = lambda what: None
) -> Outcome:
    """Carry a run out below `temporary` and put it into the store.

    Never raises for what can happen to a run: a failure is recorded in the store, a
    full disk is told by the outcome and leaves nothing.
    """
    store = Store(environment.store)
    started = now()
    history = move(task.history, "running")
    out = temporary / "run"
    try:
        out.mkdir()
        state, reason, wall = write_run(task, environment, out, tell)
        history = move(history, state, reason)
        _write_host(out, task, environment, started, wall, history)
        store.finish(out, task.key, replace=task.replaces)
        shutil.rmtree(temporary, ignore_errors=True)
    except Exception as error:
        if is_disk_full(error) or room_bytes(environment.store) < ROOM_BYTES:
            shutil.rmtree(temporary, ignore_errors=True)
            return {"state": "failed", "reason": str(error), "disk_full": True}
        return record_failure(task, environment, temporary, explain(error, temporary), started)
    return {"state": state, "reason": reason, "disk_full": False}


def write_run(
    task: Task, environment: Environment, out: Path, tell: Tell = lambda what: None
) -> tuple[str, str, dict[str, float]]:
    """Run the cell and write every file but host.json; (state, reason, wall times).

    out: an empty folder. The cell's own scratch files go into `cell` beside it, which is left
    behind for its log when the run fails.
    """
    from weir import metrics, rundir  # noqa: PLC0415 - heavy: only in the run's process

    limit_s = wall_limit(task.experiment, environment.wall_limit_s)
    scratch = out.with_name("cell")
    scratch.mkdir()
    cell = environment.run_cell(
        task.experiment,
        task.seed,
        kernel_of(task, environment),
        scratch,
        limit_s,
        lambda film_s: tell({"film_s": round(film_s, 3)}),
        _agents(task),
    )
    tell({"ending": True})
    ran = time.perf_counter()
    computed = metrics.compute(cell.data)
    measured = time.perf_counter()
    (out / "log.txt").write_text(cell.log, encoding="utf-8")
    rundir.write_atomic(out / "commands.json", rundir.to_json(cell.commands))
    state, reason = judge(cell.data.checks)
    rundir.save(
        out, cell.data, run=run_document(task, environment, state, reason), metrics=computed
    )
    shutil.rmtree(scratch, ignore_errors=True)
    wall = {"metrics": measured - ran, "save": time.perf_counter() - measured}
    return state, reason, {**cell.wall_s, **wall}


def _agents(task: Task) -> dict[str, Address] | None:
    """By host, where agents stand that are to carry the run out; None: this machine's own."""
    if (placement := task.placement) is None:
        return None
    from weir_lab.real.remote import Address  # noqa: PLC0415 - by runs on cells only

    return {host: Address(url, placement.token) for host, url in placement.agents.items()}


def judge(checks: list[Check]) -> tuple[str, str]:
    """succeeded, or invalid with the checks that say that conditions were not as asked."""
    broken = [
        f"{check['name']}: asked {check['asked']}, measured {check['measured']}"
        for check in checks
        if not check["ok"]
    ]
    if not broken:
        return "succeeded", ""
    return "invalid", "conditions were not as asked — " + "; ".join(broken)


def run_document(task: Task, environment: Environment, outcome: str, reason: str) -> dict[str, Any]:
    """run.json: nothing in it varies between repeats of the same key."""
    kernel = kernel_of(task, environment)
    return {
        "format": 1,
        "key": task.key,
        "campaign": task.campaign,
        "levels": task.levels,
        "replicate": task.replicate,
        "seed": task.seed,
        "experiment": task.experiment,
        "notes": notes(task.experiment),
        "kernel": {"release": kernel.release, "hash": kernel.hash},
        "roles": environment.roles,
        "outcome": outcome,
        "reason": reason,
    }


def record_failure(
    task: Task, environment: Environment, temporary: Path, reason: str, started: str
) -> Outcome:
    """Keep run.json, host.json and the logs of a failed run in the store."""
    out = temporary / "failed"
    disk_full = False
    try:
        out.mkdir(exist_ok=True)
        for log in (temporary / "cell" / "log.txt", temporary / "log.txt"):
            if log.is_file():
                with (out / "log.txt").open("ab") as file:
                    file.write(log.read_bytes())
        jsonfile.write(out / "run.json", run_document(task, environment, "failed", reason))
        history = move(move(task.history, "running"), "failed", reason)
        _write_host(out, task, environment, started, {}, history)
        Store(environment.store).fail(out, task.key)
    except OSError as error:
        disk_full = is_disk_full(error)
    shutil.rmtree(temporary, ignore_errors=True)
    return {"state": "failed", "reason": reason, "disk_full": disk_full}


def explain(error: Exception, temporary: Path) -> str:
    """The reason of a failure; an error nobody foresaw leaves its traceback in log.txt."""
    if isinstance(error, RunFailure):
        return error.reason
    if isinstance(error, WeirError):
        return str(error)
    with (temporary / "log.txt").open("a", encoding="utf-8") as log:
        log.write("".join(traceback.format_exception(error)))
    return f"unexpected {type(error).__name__}: {error} (traceback in log.txt of the failed run)"


def room_bytes(folder: Path) -> int:
    """Bytes left on the disk of a folder."""
    return shutil.disk_usage(folder).free


def _write_host(
    out: Path,
    task: Task,
    environment: Environment,
    started: str,
    wall: dict[str, float],
    history: History,
) -> None:
    host = {
        "host": platform.node(),
        "executor": environment.executor,
        **({"cell": task.placement.agents} if task.placement else {}),
        "started": started,
        "ended": now(),
        "wall_s": {name: round(value, 6) for name, value in wall.items()},
        "history": history,
    }
    jsonfile.write(out / "host.json", host)
