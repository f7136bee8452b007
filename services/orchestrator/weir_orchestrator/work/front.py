"""Where the queued runs of campaigns begin: what comes before has been claimed."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from typing import Final

__all__ = ["Front"]

_KNOWN_FOR_S: Final = 30.0
"""Runs may be queued again, and wait no longer than that for others that come after them."""
Place = tuple[uuid.UUID, str]


class Front:
    """Positions of the runs that a worker claimed last, by campaign and clock.

    Without it, each claim would go through all runs of a campaign that have ended: whatever index
    it takes, those come first, or what is left of them does until the database tidies up.
    """

    def __init__(self, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._clock_s = clock_s
        self._since_s = clock_s()
        self._positions: dict[Place, int] = {}

    def of(self, campaign_id: uuid.UUID, clock: str) -> int:
        """The position from which to look for the next run; 0: nothing is known."""
        if self._clock_s() - self._since_s > _KNOWN_FOR_S:
            self._positions.clear()
            self._since_s = self._clock_s()
        return self._positions.get((campaign_id, clock), 0)

    def reached(self, campaign_id: uuid.UUID, clock: str, position: int) -> None:
        """Note where the next run was found."""
        self._positions[campaign_id, clock] = position
