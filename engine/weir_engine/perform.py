"""One run from start to end: cell, metrics, run directory."""

from __future__ import annotations

import shutil
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from weir.atomic import write_atomic
from weir.errors import RunFailure, WeirError
from weir.notes import notes
from weir.programs import brings_code, relevant_roles
from weir.records import Check, RunDocument
from weir_lab.boot import KernelGone, KernelKilled
from weir_lab.forked import NotForked

from weir_engine import taking
from weir_engine.ended import Ended, shortened
from weir_engine.errors import is_disk_full
from weir_engine.so_far import writing_so_far
from weir_engine.task import Environment, Task, kernel_of, wall_limit

if TYPE_CHECKING:
    from weir.rundir import RunData
    from weir_lab.forked import Lent
    from weir_lab.real.remote import Address

__all__ = [
    "LEAST_FREE_BYTES",
    "TRACEBACK",
    "WORK",
    "Tell",
    "carry_out",
    "free_bytes",
    "write_run",
]

LEAST_FREE_BYTES = 8_000_000
"""With less than this left, a failure is put down to the disk: a guest that meets a
full disk reports input/output errors of many kinds."""

TRACEBACK = "traceback.txt"
WORK = "work"
"""What of a run's temporary folder its process writes to; the rest is out of its reach."""


class Progress(TypedDict, total=False):
    """One of: seconds of film so far, on the real clock; or that the cell is over and its results
    are being written."""

    film_s: float
    ending: bool


Tell = Callable[[Progress], None]


def carry_out(
    task: Task, environment: Environment, work: Path, tell: Tell, lent: Lent | None = None
) -> Ended:
    """Carry a run out below `work`, an empty folder. Never raises for what can happen to a run.

    lent: what forks it, by a zygote that `work` is within one of.
    """
    out = work / "run"
    try:
        out.mkdir()
        state, reason, wall_s = write_run(task, environment, out, tell, lent)
        return Ended.model_validate(
            {
                "state": state,
                "reason": shortened(reason),
                "wall_s": wall_s,
                "files": taking.digests(out),
            }
        )
    except Exception as error:
        full = is_disk_full(error) or free_bytes(work) < LEAST_FREE_BYTES
        reason = str(error) if full else explain(error)
        lost = isinstance(error, KernelGone | KernelKilled)
        files = {} if full else _left_behind(task, out, _traceback(error))
        return Ended(
            state="failed",
            reason=shortened(reason),
            disk_full=full,
            lost=lost,
            not_forked=isinstance(error, NotForked),
            files=files,
        )


def write_run(
    task: Task,
    environment: Environment,
    out: Path,
    tell: Tell = lambda what: None,
    lent: Lent | None = None,
) -> tuple[str, str, dict[str, float]]:
    """Run the cell and write every file but host.json; (state, reason, wall times).

    out: an empty folder. The cell's own scratch files go into `cell` beside it, which is left
    behind for its log when the run fails.
    """
    from weir import metrics, rundir  # noqa: PLC0415 - heavy: only in the run's process

    if environment.refusal and any(map(brings_code, task.experiment["clients"])):
        raise RunFailure(environment.refusal)
    limit_s = wall_limit(task.experiment, environment.wall_limit_s)
    scratch = out.with_name("cell")
    scratch.mkdir()
    with writing_so_far(task, environment.so_far_every_s, scratch):
        cell = environment.run_cell(
            task.experiment,
            task.seed,
            kernel_of(task, environment),
            scratch,
            limit_s,
            lambda film_s: tell({"film_s": round(film_s, 3)}),
            _agents(task),
            lent,
        )
    tell({"ending": True})
    ran = time.perf_counter()
    computed = metrics.compute(cell.data)
    measured = time.perf_counter()
    (out / "log.txt").write_text(cell.log, encoding="utf-8")
    write_atomic(out / "commands.json", rundir.to_json(cell.commands))
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


def run_document(task: Task, environment: Environment, outcome: str, reason: str) -> RunDocument:
    """run.json of a run that ended so."""
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
        "roles": relevant_roles(task.experiment, environment.roles),
        "outcome": outcome,
        "reason": reason,
    }


def _left_behind(task: Task, out: Path, trace: str) -> dict[str, str]:
    """Write what can be read of a failed run's records, and tell it by name as `taking.digests`.

    trace: of an error in Weir itself; where that is empty, that of a client's own code.
    """
    from weir import rundir  # noqa: PLC0415 - heavy: only in the run's process
    from weir_lab.unfinished import unfinished  # noqa: PLC0415 - by runs that failed only

    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    try:
        found = unfinished(task.experiment, task.seed, out.with_name("cell"))
        trace = trace or found.traceback
        if _any_rows(found.data):
            rundir.save(out, found.data)
    except (WeirError, OSError, ValueError):
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
    if trace:
        (out / TRACEBACK).write_text(trace, encoding="utf-8")
    return taking.digests(out)


def _any_rows(data: RunData) -> bool:
    tables = (*data.players, data.tcp, data.queue)
    return any(len(rows) for table in tables if table for rows in table.values())


def _traceback(error: Exception) -> str:
    return "" if isinstance(error, WeirError) else "".join(traceback.format_exception(error))


def explain(error: Exception) -> str:
    """The reason of a failure; an error nobody foresaw leaves its traceback, too."""
    if isinstance(error, RunFailure):
        return error.reason
    if isinstance(error, WeirError):
        return str(error)
    return f"unexpected {type(error).__name__}: {error} (see {TRACEBACK} of the failed run)"


def free_bytes(folder: Path) -> int:
    """Bytes left on the disk of a folder."""
    return shutil.disk_usage(folder).free
