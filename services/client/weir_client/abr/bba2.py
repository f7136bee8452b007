"""bba2: bba1 with a startup that climbs faster than the buffer fills.

Source: Huang et al. 2014, section 6, and Livi et al. 2017 (see bba.py). From the lowest level, one
level up with each segment that came fast enough, else the same level. With x = B / (r + cushion):
- livi-2017 (default): bandwidth > (8 - 6 x) * rate of the last segment;
- huang-2014: the buffer grew by more than (0.875 - 0.375 x) * V. In the other's terms that is
  bandwidth > rate / (0.125 + 0.375 x): 8 and 2 times the rate at both ends too, but less between.
Startup ends for good when the buffer fell (a segment took longer than it plays) or the map asks
for more; from then on the map decides, as in bba1.
"""

from __future__ import annotations

from weir_client.abr.bba import HUANG
from weir_client.abr.bba1 import Bba1

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from weir_client.state import Download, State

__all__ = ["Bba2"]

FASTER_EMPTY, FASTER_FULL = 8.0, 2.0  # times its own rate, at an empty buffer and a full cushion


class Bba2(Bba1):
    """By throughput while the buffer first fills, by the map ever after."""

    def __init__(self, ladder: Sequence[float], options: dict[str, Any]) -> None:
        super().__init__(ladder, options)
        self.starting = True

    def choose(self, state: State) -> int:
        """Return the level of startup or of the map."""
        reservoir_s = self._reservoir_s(state)
        if state.last is None:
            return 0
        by_map = self._by_map(state, reservoir_s)
        if not self.starting:
            return by_map
        if state.last.last_byte_s - state.last.request_s > state.segment_s:
            self.starting = False
            return by_map
        level = max(state.previous_level, 0)
        full_s = reservoir_s + self._cushion_s
        if level < len(self._ladder) - 1 and self._fast(state, state.last, full_s):
            level += 1
        if by_map > level:
            self.starting = False
            return by_map
        return level

    def _fast(self, state: State, last: Download, full_s: float) -> bool:
        """Whether the last segment came so fast that a higher level is safe."""
        took_s = last.last_byte_s - last.request_s
        share = min(state.buffer_s / full_s, 1.0)
        if self._variant == HUANG:
            gain = 1 - 1 / FASTER_EMPTY - (1 / FASTER_FULL - 1 / FASTER_EMPTY) * share
            return state.segment_s - took_s > gain * state.segment_s
        faster = FASTER_EMPTY - (FASTER_EMPTY - FASTER_FULL) * share
        return state.segment_s > faster * took_s  # both sides: bits of the segment left out
