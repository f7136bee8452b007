"""A fork server: a warm process that carries out one run after the other, each in a child.

The child is forked, so it starts with numpy and pyarrow imported, and whatever it does
(crash, leak, hang) ends with it. The fork server keeps the wall-clock limit, takes from the child
what it wrote, and writes the failure of a child that can no longer say why.

It is executed afresh, with an environment that holds no secret (see spawn.py): a child that has
been taken over finds none in its memory either.
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError
from weir.errors import WeirError
from weir_lab import bytecode, packages
from weir_lab.confine import cgroup
from weir_lab.kernel import hold, verify
from weir_lab.parent import die_with
from weir_lab.zygotes import Zygotes

from weir_engine import jsonfile
from weir_engine.ended import MOST_BYTES, Ended
from weir_engine.errors import is_disk_full
from weir_engine.executor import run_process
from weir_engine.executor.process import (
    GRACE_S,
    adopt_orphans,
    describe_exit,
    end_children,
    end_group,
)
from weir_engine.executor.zygotes import Chosen, chosen, lent_by, of_store
from weir_engine.keep import Outcome, keep, record_failure
from weir_engine.perform import WORK
from weir_engine.states import now
from weir_engine.store import Store
from weir_engine.task import Environment, Task, kernel_of, wall_limit

__all__ = ["main"]

_End = tuple[Ended | None, str, bool]
"""How a run's process says that it ended; or None, why it does not, and whether it was killed."""
_PROGRESS: Final = (b'{"film_s"', b'{"ending"')
_CELL_GRACE_S: Final = 15.0
"""For setting a cell's agents free, each of which ends a lab kernel first."""
_LATE_S: Final = 20.0
"""The lab keeps the wall-clock limit itself; beyond this it has failed to."""


def main() -> None:
    """Take tasks and answer each with an outcome, until told to end; see `ForkServer`.

    Arguments: the descriptor of the connection, and the process to end with.
    """
    fd, parent = map(int, sys.argv[1:])
    die_with(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    adopt_orphans()
    # A player is nobody in the guest: what anybody may write, it may.
    os.umask(0o022)
    connection = Connection(fd)
    environment: Environment = connection.recv()
    _warm()
    with contextlib.ExitStack() as ending:
        # What zygotes leave is waited for last: its CPU time counts as this process's.
        ending.callback(end_children, but=frozenset())
        zygotes = ending.enter_context(contextlib.closing(of_store(Store(environment.store))))
        while True:
            try:
                while not connection.poll(zygotes.evict()):
                    pass
                task = connection.recv()
            except EOFError:
                return
            if task is None:
                return
            outcome = _run(task, environment, connection, zygotes)
            try:
                connection.send_bytes(jsonfile.line(outcome).encode())
            except OSError:
                return


def _warm() -> None:
    """Load what every run needs, once for all children."""
    import numpy.ma  # noqa: F401, PLC0415 - numpy.unique asks whether what it gets is masked
    from weir import metrics, rundir  # noqa: F401, PLC0415 - here, and not where tasks are given
    from weir.rundir.parquet import parquet_bytes  # noqa: PLC0415
    from weir_lab import virtual  # noqa: F401, PLC0415

    # The first time, Arrow looks for pandas all along the path.
    parquet_bytes(rundir.RETRANSMITS, dict.fromkeys(rundir.RETRANSMITS.names, ()))
    # A run's process may not write there.
    bytecode.compile_packages(packages.folders(http2=True).values())


def _run(task: Task, environment: Environment, connection: Connection, zygotes: Zygotes) -> Outcome:
    try:
        temporary = Store(environment.store).new_temporary(task.key)
    except OSError as error:
        return _not_begun(error)
    started = now()
    with contextlib.ExitStack() as holding:
        most_bytes = run_process.memory_bytes(task)
        try:
            group = holding.enter_context(cgroup.of_run(most_bytes, run_process.PROCESSES))
        except OSError as error:
            return _not_begun(error)
        # A run's own process fails where it is not there, or not as it was built.
        with contextlib.suppress(WeirError, OSError):
            kernel = kernel_of(task, environment)
            holding.enter_context(hold(kernel.path))
            # Read here once for all runs.
            verify(kernel)
        work = temporary / WORK

        def attempt(choice: Chosen | None) -> _End:
            with contextlib.ExitStack() as of_attempt:
                kept = None
                if choice is None:
                    kept = run_process.memory_for(task)
                    of_attempt.callback(kept.remove)
                folder, lent = of_attempt.enter_context(lent_by(choice, work, group))
                means = run_process.Means(folder, kept.path if kept else None, group, lent)
                return _carry_out(task, environment, connection, means, zygotes)

        try:
            ended, why, lost = _by_either(
                attempt, chosen(task, environment, zygotes), work, zygotes
            )
        except OSError as error:
            return _not_begun(error)
        if lost and group is not None and group.ran_out():
            lost, why = False, f"the run took more than {most_bytes / 2**30:.1f} GiB of memory"
    if ended is not None:
        return keep(task, environment, temporary, ended, started)
    if why == "cancelled":
        shutil.rmtree(temporary, ignore_errors=True)
        return {"state": "cancelled", "reason": "interrupted", "disk_full": False}
    return {**record_failure(task, environment, temporary, why, started), "lost": lost}


def _not_begun(error: OSError) -> Outcome:
    return {"state": "failed", "reason": str(error), "disk_full": is_disk_full(error)}


def _by_either(
    attempt: Callable[[Chosen | None], _End], choice: Chosen | None, work: Path, zygotes: Zygotes
) -> _End:
    """By the zygote that is chosen, and where that fails it by one that the run's process boots.

    Raises OSError.
    """
    end = attempt(choice)
    if choice is None or end[0] is None or not end[0].not_forked:
        return end
    print(f"{end[0].reason}; the run boots a fresh one", file=sys.stderr, flush=True)
    # A zygote that died may have forked it before that.
    zygotes.end(choice.warm)
    end_children(but=zygotes.pids)
    shutil.rmtree(work)
    return attempt(None)


def _carry_out(
    task: Task,
    environment: Environment,
    connection: Connection,
    means: run_process.Means,
    zygotes: Zygotes,
) -> _End:
    """Of a run's process that is begun for it."""
    reading, writing = os.pipe()
    own = os.getpid()
    child = os.fork()
    if child == 0:
        os.close(reading)
        connection.close()
        zygotes.leave()
        run_process.live(task, environment, means, writing, own)
    os.close(writing)
    limit_s = wall_limit(task.experiment, environment.wall_limit_s)
    try:
        return _await(
            child,
            reading,
            connection,
            limit_s + _LATE_S,
            _CELL_GRACE_S if task.placement else GRACE_S,
        )
    finally:
        os.close(reading)
        end_children(but=zygotes.pids)


def _await(
    child: int, reading: int, connection: Connection, limit_s: float, grace_s: float
) -> _End:
    """Of the child."""
    watched: list[Any] = [reading, connection]
    until_s = time.monotonic() + limit_s
    rest, last = b"", b""
    while not last:
        ready, _, _ = select.select(watched, [], [], max(0.0, until_s - time.monotonic()))
        if reading not in ready:
            break
        heard = os.read(reading, 65536)
        *lines, rest = (rest + heard).split(b"\n")
        for line in lines:
            if line.startswith(_PROGRESS):
                connection.send_bytes(line)
            else:
                last = line
        if not heard or len(rest) > MOST_BYTES:
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
    if len(rest) > MOST_BYTES:
        end_group(child, 0.0)
        return None, f"the run's process said more than {MOST_BYTES} bytes at once", False
    # It ends now, or is made to: whoever holds it could also stay.
    status = end_group(child, grace_s)
    if last:
        return _understood(last)
    why = (
        f"the run's process ended without a result ({describe_exit(status)}). "
        "SIGKILL often means that memory ran out: try fewer --jobs. See log.txt."
    )
    return None, why, os.waitstatus_to_exitcode(status) == -signal.SIGKILL


def _understood(said: bytes) -> _End:
    try:
        return Ended.model_validate_json(said), "", False
    except ValidationError as error:
        return None, f"the run's process said what is no outcome: {error.errors()[0]['msg']}", False
