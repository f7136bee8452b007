"""bba0: the rate from the buffer alone, with fixed reservoir and cushion.

Source: Huang et al. 2014, section 4, Algorithm 1 (see bba.py): reservoir 90 s, cushion 126 s, that
is up to 90 % of 240 s. The map is compared with the ladder's rates, not with sizes of segments.
The testbed of Livi et al. did not have it; its `variant: livi-2017` is one level per step here, so
the default is the publication's.
"""

from __future__ import annotations

from weir_client.abr import bba

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from weir_client.state import State


class Bba0:
    """By buffer and ladder."""

    def __init__(self, ladder: Sequence[float], options: dict[str, Any]) -> None:
        self._ladder = ladder
        self._options = options

    def choose(self, state: State) -> int:
        """Return the level that the map allows."""
        reservoir_s, cushion_s = self._options["reservoir_s"], self._options["cushion_s"]
        if state.buffer_s <= reservoir_s:
            return 0
        if state.buffer_s >= reservoir_s + cushion_s:
            return len(self._ladder) - 1
        f_bps = bba.mapped(self._ladder, state.buffer_s, reservoir_s, cushion_s)
        level = max(state.previous_level, 0)
        return bba.next_level(self._ladder, level, f_bps, self._options["variant"])
