"""A process that ends when the one that started it does (prctl(2))."""

from __future__ import annotations

import os
import signal
from typing import Final

from weir_lab.confine import system

__all__ = ["die_with"]

_PR_SET_PDEATHSIG: Final = 1


def die_with(parent: int, by: signal.Signals = signal.SIGKILL) -> None:
    """Have this process sent a signal when the thread that started it ends, also across exec.

    parent: that thread's process, asked for before this one was: it may be dead by now.
    """
    system.prctl(_PR_SET_PDEATHSIG, by)
    if os.getppid() != parent:
        os._exit(1)
