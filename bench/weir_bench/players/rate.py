"""A player under test: the highest level below a share of the last downloads' mean rate."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from weir_client.state import State

SAFETY = 0.9
LATE_S = 0.0
DOWNLOADS = 5


class Rate:
    """By throughput: the harmonic mean of the last DOWNLOADS."""

    def __init__(self, ladder: Sequence[float], options: object) -> None:
        self._ladder = ladder
        self.estimate_bps: float | None = None

    def choose(self, state: State) -> int:
        """Return a level."""
        last = state.history[-DOWNLOADS:]
        if not last:
            return 0
        took_s = [each.last_byte_s - each.request_s for each in last]
        rates_bps = [each.bytes * 8 / s for each, s in zip(last, took_s, strict=True)]
        self.estimate_bps = len(last) / sum(1 / rate for rate in rates_bps)
        usable_bps = SAFETY * self.estimate_bps
        return max((at for at, bps in enumerate(self._ladder) if bps <= usable_bps), default=0)

    def delay_s(self, state: State) -> float:
        """Return how long to wait before the segment is asked for."""
        return LATE_S
