"""bba3: bba2 that switches less.

Source: Huang et al. 2014, section 7 ("BBA-Others"), and Livi et al. 2017 (see bba.py, bba2.py).
The reservoir never shrinks, so the map never moves back to the left; and the map's way up must
hold also on the mean rate of the next N segments, N = segments in the buffer, so that one small
segment at a higher level is no reason to switch.
"""

from __future__ import annotations

from weir_client.abr import bba
from weir_client.abr.bba2 import Bba2

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from weir_client.state import State

__all__ = ["Bba3"]


class Bba3(Bba2):
    """bba2 with a memory for the reservoir and patience on the way up."""

    def __init__(self, ladder: Sequence[float], options: dict[str, Any]) -> None:
        super().__init__(ladder, options)
        self._largest_s = 0.0

    def _reservoir_s(self, state: State) -> float:
        self._largest_s = max(self._largest_s, super()._reservoir_s(state))
        return self._largest_s

    def _confirmed(self, state: State, level: int, found: int, f_bps: float) -> int:
        count = max(1, int(state.buffer_s / state.segment_s))
        while found > level and bba.rate_of(state, found, count) > f_bps:
            found -= 1
        return found
