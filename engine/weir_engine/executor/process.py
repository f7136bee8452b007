"""Small things about processes, by system calls that Python has no name for."""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
from collections.abc import Set
from pathlib import Path

__all__ = [
    "GRACE_S",
    "adopt_orphans",
    "describe_exit",
    "end_children",
    "end_group",
]

_PR_SET_CHILD_SUBREAPER = 36
GRACE_S = 2.0


def end_group(leader: int, grace_s: float = GRACE_S) -> int:
    """End a child and its process group, first asked, after a time forced; its wait status."""
    ended = os.pidfd_open(leader)
    try:
        for number, patience_s in ((signal.SIGTERM, grace_s), (signal.SIGKILL, None)):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(leader, number)
            if select.select([ended], [], [], patience_s)[0]:
                break
    finally:
        os.close(ended)
    return os.waitpid(leader, 0)[1]


def adopt_orphans() -> None:
    """Become the parent of whatever descendant loses its own, wherever it hides (prctl(2))."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1)


def end_children(but: Set[int]) -> None:
    """Kill all children, and those that become this process's as they end; wait for all.

    but: processes that stay.
    """
    while pids := _children() - but:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for pid in pids:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)


def _children() -> set[int]:
    found: set[int] = set()
    for task in Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError):
            found.update(map(int, (task / "children").read_text().split()))
    return found


def describe_exit(status: int) -> str:
    """A wait status in words: `killed by SIGSEGV`, `exit code 3`."""
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return f"exit code {code}"
    return f"killed by {signal.Signals(-code).name}"
