"""aggressive-rate: the last segment's throughput, trusted beyond itself when the buffer is full.

Source: R. Ben Ameur, F. Mory, B. Cousin, "Combining traffic shaping methods with congestion
control variants for HTTP adaptive streaming", Multimedia Systems 24(1), 2018, section 3.2.
With estimate = bytes * 8 / download time of the last segment, the choice is the highest level
whose rate <= estimate * (1 + rho), rho = sigma * R / B, R = segments in the buffer, B = its size.
We differ thus: R counts a partly played segment by what is left of it. The paper's "buffering
state" can be read as one in which no level but the lowest is asked for: fill_first.
"""

from __future__ import annotations

from weir_client.abr import highest_within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from weir_client.state import State


ROUNDING_S = 1e-6


class AggressiveRate:
    """Level 0 first; then by the last download."""

    def __init__(self, ladder: Sequence[float], options: dict[str, Any]) -> None:
        self._ladder = ladder
        self._sigma = options["sigma"]
        self._filling = options["fill_first"]
        self.estimate_bps: float | None = None

    def choose(self, state: State) -> int:
        """Return the highest level that the stretched estimate carries."""
        last = state.last
        if last is None:
            return 0
        took_s = last.last_byte_s - last.request_s
        self.estimate_bps = last.bytes * 8 / took_s
        if self._filling and state.buffer_s + state.segment_s < state.buffer_max_s - ROUNDING_S:
            return 0
        self._filling = False
        rho = self._sigma * state.buffer_s / state.buffer_max_s
        return highest_within(self._ladder, self.estimate_bps * (1 + rho))
