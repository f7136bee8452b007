"""Having the real clock's lab kernels run before all else, where that may be had."""

from __future__ import annotations

import os
from contextlib import suppress

__all__ = ["ask"]


def ask() -> None:
    """Have this process, and what it starts, run as soon as it can (sched(7), SCHED_RR).

    Without CAP_SYS_NICE, or an RLIMIT_RTPRIO, it stays as it is. Linux keeps 5 % of the time for
    all else.
    """
    with suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
