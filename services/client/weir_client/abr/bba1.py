"""bba1: bba0 for segments whose sizes vary.

Source: Huang et al. 2014, section 5 (see bba.py): the reservoir follows the coming segments, and
the map is compared with their actual rates. Up to the reservoir the lowest level, from reservoir
+ cushion on the highest.
"""

from __future__ import annotations

from weir_client.abr import bba

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from weir_client.state import State

__all__ = ["Bba1"]


class Bba1:
    """By buffer and the coming segments' sizes."""

    def __init__(self, ladder: Sequence[float], options: dict[str, Any]) -> None:
        self._ladder = ladder
        self._variant: str = options["variant"]
        self._cushion_s: float = options["cushion_s"]
        self._lookahead_s: float = options["lookahead_s"]

    def choose(self, state: State) -> int:
        """Return the level that the map allows."""
        return self._by_map(state, self._reservoir_s(state))

    def _reservoir_s(self, state: State) -> float:
        return bba.reservoir_s(state, self._ladder[0], self._lookahead_s, self._variant)

    def _by_map(self, state: State, reservoir_s: float) -> int:
        if state.buffer_s <= reservoir_s:
            return 0
        if state.buffer_s >= reservoir_s + self._cushion_s:
            return len(self._ladder) - 1
        f_bps = bba.mapped(self._ladder, state.buffer_s, reservoir_s, self._cushion_s)
        level = max(state.previous_level, 0)
        rates = [bba.rate_of(state, i) for i in range(len(self._ladder))]
        found = bba.next_level(rates, level, f_bps, self._variant)
        return self._confirmed(state, level, found, f_bps)

    def _confirmed(self, state: State, level: int, found: int, f_bps: float) -> int:
        """A hook for bba3: the level to take when the map leads from `level` to `found`."""
        return found
