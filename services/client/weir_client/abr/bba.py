"""What bba0 to bba3 share: the map from buffer to rate, and the reservoir below it.

Source: T.-Y. Huang, R. Johari, N. McKeown, M. Trunnell, M. Watson, "A buffer-based approach to rate
adaptation", SIGCOMM 2014; and Livi et al. 2017, who coded it for their testbed. Both have a buffer
of 240 s (set the client's `buffer`; in a shorter one the map's upper part is out of reach).

Map (section 4): f(B) = Rmin up to the reservoir r, Rmax from r + cushion on, a line between.
Where the rates of segments vary, f is compared with the *actual* rate of the coming segment,
size * 8 / duration (section 5.2: chunk map). With Rate+ and Rate- those of the levels above and
below the present one, go up if f >= Rate+, down if f <= Rate-, else stay.
Reservoir (section 5.1): at a capacity of Rmin, what playback eats in the next 480 s less what comes
in, so that these segments at the lowest level cause no stall.

Option `variant` says whose code is followed:
- livi-2017 (default): up and down are one level; r within 2 to 35 segments; startup in bba2.py.
- huang-2014: up goes to the highest level below f, down to the lowest above f (Algorithm 1); r
  within 8 to 140 s, the same for the 4 s segments that paper had.
We differ thus: where the film ends within the 480 s, playback eats what is left. The outage
protection of Huang's section 7.1 is in neither variant.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from weir_client.state import State

LIVI, HUANG = "livi-2017", "huang-2014"

RESERVOIR_SEGMENTS = (2, 35)  # livi-2017
RESERVOIR_S = (8.0, 140.0)  # huang-2014


def mapped(ladder: Sequence[float], buffer_s: float, reservoir_s: float, cushion_s: float) -> float:
    """f(B) in bit/s."""
    share = min(max((buffer_s - reservoir_s) / cushion_s, 0.0), 1.0)
    return ladder[0] + (ladder[-1] - ladder[0]) * share


def rate_of(state: State, level: int, count: int = 1) -> float:
    """Mean rate (bit/s) of the next `count` segments at a level, fewer at the film's end."""
    end = state.segment + count
    if state.segments is not None:
        end = min(end, state.segments)
    sizes = [state.size_of(level, segment) for segment in range(state.segment, end)]
    return sum(sizes) * 8 / (state.segment_s * len(sizes))


def reservoir_s(state: State, lowest_bps: float, lookahead_s: float, variant: str) -> float:
    """The reservoir for what comes next."""
    segments, needed_s, segment = 0, 0.0, state.segment
    while state.segments is None or segment < state.segments:
        needed_s += state.size_of(0, segment) * 8 / lowest_bps
        if needed_s > lookahead_s:
            break
        segments, segment = segments + 1, segment + 1
    playable_s = lookahead_s
    if state.segments is not None:
        playable_s = min(playable_s, (state.segments - state.segment) * state.segment_s)
    low, high = RESERVOIR_S
    if variant == LIVI:
        low, high = (count * state.segment_s for count in RESERVOIR_SEGMENTS)
    return min(max(playable_s - segments * state.segment_s, low), high)


def next_level(rates: Sequence[float], level: int, f_bps: float, variant: str) -> int:
    """Where the map leads from a level; `rates`: actual rate of each level's coming segment."""
    top = len(rates) - 1
    if level < top and f_bps >= rates[level + 1]:
        if variant == LIVI:
            return level + 1
        return max((i for i in range(level, top + 1) if rates[i] < f_bps), default=level)
    if level > 0 and f_bps <= rates[level - 1]:
        if variant == LIVI:
            return level - 1
        return min((i for i in range(level + 1) if rates[i] > f_bps), default=level - 1)
    return level
