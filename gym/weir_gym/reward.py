"""What a step is worth: a published QoE's share of one segment.

The default is Pensieve's QoE_lin (Mao et al., SIGCOMM 2017), as `qoe_pensieve` of weir.metrics.qoe:
of an episode that plays its film to the end, the mean of the rewards is that metric, but for stalls
of less than a millisecond, which the metric takes for rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from weir.metrics.qoe import PENSIEVE_STALL_WEIGHT

__all__ = ["Reward", "Segment", "pensieve"]


@dataclass(frozen=True)
class Segment:
    """What came of a decision.

    bitrate_bps: of the segment; None: it was cut off. bitrate_before_bps: of the last one that
    came; None: there is none. stall_s: since the step before. download_s: from request to last
    byte, of the last attempt. startup_s: until the first segment came, in its step alone; else 0.
    """

    bitrate_bps: float | None
    bitrate_before_bps: float | None
    stall_s: float
    download_s: float
    startup_s: float


Reward = Callable[[Segment], float]


def pensieve(segment: Segment) -> float:
    """Bitrate - 4.3 * stall - |bitrate - bitrate before|, in Mbit/s and s: no startup term."""
    if segment.bitrate_bps is None:
        return -PENSIEVE_STALL_WEIGHT * segment.stall_s
    before_bps = segment.bitrate_before_bps
    change_bps = 0.0 if before_bps is None else abs(segment.bitrate_bps - before_bps)
    return (segment.bitrate_bps - change_bps) / 1e6 - PENSIEVE_STALL_WEIGHT * segment.stall_s
