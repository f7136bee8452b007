"""What classic1 and classic2 share: a slow average of most of the bandwidth, one level per step.

Source: S. Livi, L. Sassatelli, G. Urvoy-Keller et al., "HTTP adaptive streaming and access router
management" (2017), after their player's source: avg = (8 avg + 2 (0.8 bw)) / 10 over the
segments' bandwidths bw, at first 0.8 bw. The target is the highest rate <= avg; the level moves
by one towards it. That player keeps its level when avg is below the lowest rate, so that it
cannot step down just when the link is worst: option below_lowest, `hold` as there or `lowest`.
"""

from __future__ import annotations

from weir_client.abr import highest_within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from weir_client.state import State


class Classic:
    """Level 0 first; then one step at a time towards what the average carries."""

    def __init__(self, ladder: Sequence[float], options: dict[str, Any]) -> None:
        self._ladder = ladder
        self._options = options
        self.estimate_bps: float | None = None

    def choose(self, state: State) -> int:
        """Return the level before or a neighbour of it."""
        last = state.last
        if last is None:
            return 0
        self._take_in(self.sample_bps(state))
        now = state.previous_level
        if self.estimate_bps is None:
            return now
        if self.estimate_bps < self._ladder[0] and self._options["below_lowest"] == "hold":
            return now
        target = highest_within(self._ladder, self.estimate_bps)
        return now + (target > now) - (target < now)

    def sample_bps(self, state: State) -> float | None:
        """Bandwidth of the last download; None when there is nothing to measure."""
        raise NotImplementedError

    def _take_in(self, bps: float | None) -> None:
        if bps is None:
            return
        new = self._options["share"] * bps
        weight = self._options["weight"]
        old = self.estimate_bps
        self.estimate_bps = new if old is None else (1 - weight) * old + weight * new
