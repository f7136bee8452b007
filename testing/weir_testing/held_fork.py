"""Killing a process at a moment that no signal hits by itself: right after a fork (ptrace(2)).

It is held there, with nothing done that comes after the fork, while its child goes on.
"""

from __future__ import annotations

import ctypes
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final

from weir_lab.confine import system

from weir_testing.patience import PATIENCE_S, until

__all__ = ["kill_once_forked"]

_PTRACE: Final = 101
_DETACH, _GETEVENTMSG, _SEIZE = 17, 0x4201, 0x4206
_TRACE_FORK: Final = 2
_FORKED: Final = signal.SIGTRAP | 1 << 8
"""What a process stops with that has forked."""


def kill_once_forked(pid: int, begun: Callable[[], Any]) -> Future[None]:
    """Have the process killed after its next fork, once `begun` holds of what the child does.

    Returns as soon as it cannot fork unseen; the result is there when it has been killed.
    """
    seized = threading.Event()
    # A process is traced by a thread.
    tracer = ThreadPoolExecutor(1)
    killing = tracer.submit(_kill, pid, begun, seized)
    tracer.shutdown(wait=False)
    while not seized.wait(0.01) and not killing.done():
        pass
    return killing


def _kill(pid: int, begun: Callable[[], Any], seized: threading.Event) -> None:
    system.call(_PTRACE, _SEIZE, pid, 0, _TRACE_FORK)
    seized.set()
    try:
        assert os.waitpid(pid, 0)[1] >> 8 == _FORKED
        child = ctypes.c_long()
        system.call(_PTRACE, _GETEVENTMSG, pid, 0, ctypes.byref(child))
        # It is held, too.
        os.waitpid(child.value, 0)
        system.call(_PTRACE, _DETACH, child.value, 0, 0)
        until(begun, "what the child does", patience_s=PATIENCE_S)
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
