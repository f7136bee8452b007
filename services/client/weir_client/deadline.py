"""End a blocking download at the stop time with one system call per run.

SO_RCVTIMEO would have to be set anew for each receive and so would cost a clock reading each.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # `signal` itself imports enum

from weir_client.errors import TimeIsUp

# The timer repeats, since an alarm that comes just before a blocking call would be lost.
REPEAT_S = 0.05


def arm(after_s: float) -> None:
    """Raise TimeIsUp in the main thread after so many seconds, once."""
    signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, max(after_s, 1e-6), REPEAT_S)


def disarm() -> None:
    """Forget the alarm."""
    signal.setitimer(signal.ITIMER_REAL, 0.0)


def ignore() -> None:
    """Forget the alarm, and whatever rings it later."""
    disarm()
    signal.signal(signal.SIGALRM, signal.SIG_IGN)


def _ring(number: int, frame: object) -> None:
    disarm()
    raise TimeIsUp
