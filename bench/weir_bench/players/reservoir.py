"""A player under test: the level by the buffer alone, between a reservoir and a cushion.

After Huang et al. 2014, section 4, with a buffer of 20 s.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from weir_client.state import State

RESERVOIR_SEGMENTS = 2
CUSHION_SEGMENTS = 6


class Reservoir:
    """By buffer."""

    def __init__(self, ladder: Sequence[float], options: object) -> None:
        self._ladder = ladder

    def choose(self, state: State) -> int:
        """Return a level."""
        segments = state.buffer_s / state.segment_s - RESERVOIR_SEGMENTS
        share = min(max(segments / CUSHION_SEGMENTS, 0.0), 1.0)
        mapped_bps = self._ladder[0] + share * (self._ladder[-1] - self._ladder[0])
        return max(at for at, bps in enumerate(self._ladder) if bps <= mapped_bps)
