"""What a run left goes into the store: its run directory, or what tells of its failure."""

from __future__ import annotations

import platform
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NotRequired, TypedDict

from weir.errors import RunFailure
from weir.programs import is_program
from weir_lab import left

from weir_engine import jsonfile, taking
from weir_engine.ended import Ended
from weir_engine.errors import is_disk_full
from weir_engine.perform import LEAST_FREE_BYTES, WORK, free_bytes, run_document
from weir_engine.states import History, move, now
from weir_engine.store import Store
from weir_engine.task import Environment, Task

__all__ = ["Outcome", "keep", "record_failure"]


class Outcome(TypedDict):
    """How a run ended. disk_full, lost: see `RunUpdate`. Plain, to cross a pipe."""

    state: str
    reason: str
    disk_full: bool
    lost: NotRequired[bool]


def keep(
    task: Task, environment: Environment, temporary: Path, ended: Ended, started: str
) -> Outcome:
    """Put into the store what `carry_out` left in `temporary`/work, and remove `temporary`.

    A full disk is told by the outcome and leaves nothing.
    """
    if ended.state == "failed":
        if ended.disk_full:
            shutil.rmtree(temporary, ignore_errors=True)
            return {"state": "failed", "reason": ended.reason, "disk_full": True}
        failed = record_failure(task, environment, temporary, ended.reason, started, ended.files)
        return {**failed, "lost": ended.lost}
    from weir import rundir  # noqa: PLC0415 - heavy: only where runs are carried out

    taken = temporary / "taken"
    try:
        taken.mkdir()
        taking.take(temporary / WORK / "run", ended.files, taken)
        run = run_document(task, environment, ended.state, ended.reason)
        rundir.write_document(taken, run, task.experiment)
        history = move(move(task.history, "running"), ended.state, ended.reason)
        _write_host(taken, task, environment, started, ended.wall_s, history)
        Store(environment.store).finish(taken, task.key, replace=task.replaces)
    except RunFailure as refused:
        return record_failure(task, environment, temporary, refused.reason, started)
    except OSError as error:
        shutil.rmtree(temporary, ignore_errors=True)
        full = is_disk_full(error) or free_bytes(environment.store) < LEAST_FREE_BYTES
        return {"state": "failed", "reason": str(error), "disk_full": full}
    shutil.rmtree(temporary, ignore_errors=True)
    return {"state": ended.state, "reason": ended.reason, "disk_full": False}


def record_failure(
    task: Task,
    environment: Environment,
    temporary: Path,
    reason: str,
    started: str,
    files: Mapping[str, str] | None = None,
) -> Outcome:
    """Keep run.json, host.json, the logs and what there is of the records of a failed run.

    files: as `taking.take_some` is told.
    """
    out = temporary / "failed"
    disk_full = False
    try:
        out.mkdir(exist_ok=True)
        taking.take_some(temporary / WORK / "run", files or {}, out)
        if said := _said(task, temporary / WORK / "cell"):
            (out / "log.txt").write_text(said, encoding="utf-8")
        jsonfile.write(out / "run.json", run_document(task, environment, "failed", reason))
        history = move(move(task.history, "running"), "failed", reason)
        _write_host(out, task, environment, started, {}, history)
        Store(environment.store).fail(out, task.key)
    except OSError as error:
        disk_full = is_disk_full(error)
    shutil.rmtree(temporary, ignore_errors=True)
    return {"state": "failed", "reason": reason, "disk_full": disk_full}


def _said(task: Task, folder: Path) -> str:
    try:
        said = left.console(folder)
        if any(map(is_program, task.experiment["clients"])):
            from weir_lab import programs  # noqa: PLC0415 - heavy: only where there are such

            said += programs.consoles(task.experiment, folder)
        return said
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except RunFailure as refused:
        return f"{refused.reason}\n"


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
