"""classic1: the classic rate rule on bandwidth as the application sees it.

Source: Livi et al. 2017 (see classic.py). bw = bytes * 8 / (request sent to last byte): the wait
for the first byte counts, so short segments and long paths look slower than they are.
"""

from __future__ import annotations

from weir_client.abr.classic import Classic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weir_client.state import State

__all__ = ["Classic1"]


class Classic1(Classic):
    """Bandwidth from the request on."""

    def sample_bps(self, state: State) -> float | None:
        """Bytes over request to last byte."""
        last = state.last
        if last is None or last.last_byte_s <= last.request_s:
            return None
        return last.bytes * 8 / (last.last_byte_s - last.request_s)
