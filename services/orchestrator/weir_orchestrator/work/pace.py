"""How fast a worker begins runs, and so how many it claims and keeps at once."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Final

__all__ = ["MOST_AT_ONCE", "Pace"]

MOST_AT_ONCE: Final = 64
_FAST: Final = 8
_MOMENT_S: Final = 0.25
_LONGEST_MOMENT_S: Final = 1.0
"""What is claimed ahead waits for so long at the most, on this machine and not on an idle one."""
_CLAIMS_IN_MOMENT: Final = 8
"""Where all are so busy that a claim takes longer than an eighth of a moment, a moment is longer:
small claims cost more for each run, which would make all slower, and claims smaller still."""


class Pace:
    """Counts the runs that were begun lately. Used by one thread, read by any."""

    def __init__(self, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._clock_s = clock_s
        self._begun: deque[float] = deque(maxlen=MOST_AT_ONCE)
        self._moment_s = _MOMENT_S

    def claimed(self, took_s: float) -> None:
        """Note how long a claim took."""
        self._moment_s = min(max(_MOMENT_S, _CLAIMS_IN_MOMENT * took_s), _LONGEST_MOMENT_S)

    def begin(self) -> None:
        """Note that a run is begun now."""
        self._begun.append(self._clock_s())

    def at_once(self) -> int:
        """How many are begun in a moment: one, where runs take a second and claims are quick."""
        since = self._clock_s() - self._moment_s
        return max(1, sum(begun >= since for begun in tuple(self._begun)))

    def is_fast(self) -> bool:
        """Whether runs end so fast that they are worth waiting for one another."""
        return self.at_once() >= _FAST
