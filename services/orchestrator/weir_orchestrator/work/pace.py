"""How fast a worker begins runs, and so how many it claims and keeps at once."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Final

__all__ = ["MOST_AT_ONCE", "Pace"]

MOST_AT_ONCE: Final = 64
_FAST: Final = 8
_WINDOW_S: Final = 0.25
"""What is claimed ahead waits for so long at the most, on this machine and not on an idle one."""


class Pace:
    """Counts the runs that were begun lately. Used by one thread, read by any."""

    def __init__(self, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._clock_s = clock_s
        self._begun: deque[float] = deque(maxlen=MOST_AT_ONCE)

    def begin(self) -> None:
        """Note that a run is begun now."""
        self._begun.append(self._clock_s())

    def at_once(self) -> int:
        """How many are begun in a moment: one of a worker whose runs take a second."""
        since = self._clock_s() - _WINDOW_S
        return max(1, sum(begun >= since for begun in tuple(self._begun)))

    def is_fast(self) -> bool:
        """Whether runs end so fast that they are worth waiting for one another."""
        return self.at_once() >= _FAST
