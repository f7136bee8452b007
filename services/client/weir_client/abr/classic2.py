"""classic2: the classic rate rule on bandwidth as the network gives it.

Source: Livi et al. 2017 (see classic.py). bw = bytes * 8 / (first byte to last byte).
We differ thus: a segment that came in one piece has no such time; it leaves the average as it is.
"""

from __future__ import annotations

from weir_client.abr.classic import Classic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weir_client.state import State

__all__ = ["Classic2"]


class Classic2(Classic):
    """Bandwidth from the first byte on."""

    def sample_bps(self, state: State) -> float | None:
        """Bytes over first byte to last byte."""
        last = state.last
        if last is None or last.last_byte_s <= last.first_byte_s:
            return None
        return last.bytes * 8 / (last.last_byte_s - last.first_byte_s)
