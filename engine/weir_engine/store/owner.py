"""Who owns a temporary directory: a process, told apart from a later one of the same id."""

from __future__ import annotations

import os
import signal
from pathlib import Path

__all__ = ["alive", "end_processes_in", "mark", "start_time"]


def start_time(pid: int) -> int | None:
    """Clock ticks since boot at which the process started; None where there is none.

    Field 22 of /proc/PID/stat (proc(5)); the second field may hold spaces and brackets.
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    fields = stat.rpartition(")")[2].split()
    if fields[0] in {"Z", "X"}:
        return None
    return int(fields[19])


def mark(pid: int | None = None) -> str:
    """`PID-START`, to end a directory's name with."""
    owner = os.getpid() if pid is None else pid
    return f"{owner}-{start_time(owner) or 0}"


def alive(marked: str) -> bool:
    """Whether the process that `mark` named still runs. False for a malformed mark."""
    pid, _, start = marked.partition("-")
    if not (pid.isdigit() and start.isdigit()):
        return False
    return start_time(int(pid)) == int(start)


def end_processes_in(folder: Path) -> None:
    """Kill what still runs with its working directory inside a dead owner's directory.

    A lab kernel dies with its worker, unless the worker was killed in the instant between
    starting it and the kernel asking for that.
    """
    inside = str(folder.resolve())
    for process in Path("/proc").glob("[0-9]*"):
        try:
            directory = os.readlink(process / "cwd")  # noqa: PTH115 - may be a deleted one
            if f"{directory}/".startswith(f"{inside}/"):
                os.kill(int(process.name), signal.SIGKILL)
        except OSError:  # gone meanwhile, or another user's
            continue
