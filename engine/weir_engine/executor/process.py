"""Small things about processes, by system calls that Python has no name for."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import time

__all__ = ["GRACE_S", "describe_exit", "die_with_parent", "end_group", "end_leftovers"]

_PR_SET_PDEATHSIG = 1
GRACE_S = 2.0


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when its parent dies (prctl(2))."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def end_group(leader: int, grace_s: float = GRACE_S) -> int:
    """End a child and its process group, first asked, after a time forced; its wait status."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(leader, number)
        deadline = time.monotonic() + grace_s
        while number == signal.SIGKILL or time.monotonic() < deadline:
            done, status = os.waitpid(leader, os.WNOHANG)
            if done:
                end_leftovers(leader)
                return status
            time.sleep(0.01)
    raise AssertionError("unreachable")


def end_leftovers(leader: int) -> None:
    """Kill what is left of a process group whose leader has ended."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def describe_exit(status: int) -> str:
    """A wait status in words: `killed by SIGSEGV`, `exit code 3`."""
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return f"exit code {code}"
    return f"killed by {signal.Signals(-code).name}"
