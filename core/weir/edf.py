"""The least rate at which earliest deadline first brings streams over one link in time.

EDF is optimal on one link: where any order of sending meets all deadlines, it does. So its least
rate is a lower bound for every transport (Liu and Layland 1973; the demand bound of Baruah et al.
1990). It is fluid: no headers, no RTT, no losses. Claeys et al. 2016 call it B_edf.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Bound", "Demand", "least_rate", "live", "vod"]


@dataclass(frozen=True)
class Demand:
    """Bits that can be sent from some time on and are due at another.

    Both grow evenly with the bits: the first may be sent from `released_s[0]` on and is due at
    `due_s[0]`, the last from `released_s[1]` on, due at `due_s[1]`. Equal ends: all at once.
    """

    bits: float
    released_s: tuple[float, float]
    due_s: tuple[float, float]

    def __post_init__(self) -> None:
        ends = zip(self.released_s, self.due_s, strict=True)
        forward = self.released_s[0] <= self.released_s[1] and self.due_s[0] <= self.due_s[1]
        if self.bits <= 0 or not forward or any(released >= due for released, due in ends):
            raise ValueError(
                f"{self} can be met at no rate: bits must be above zero, times in order, and every "
                "bit released before it is due"
            )


@dataclass(frozen=True)
class Bound:
    """`rate_bps`, and the interval that asks for it: all that is released and due within it."""

    rate_bps: float
    from_s: float
    to_s: float


def vod(rate_bps: float, length_s: float, begin_s: float, ahead_s: float) -> Demand:
    """A film in store, due evenly from `begin_s` on; all of it may be sent `ahead_s` before."""
    release_s = begin_s - ahead_s
    due_s = (begin_s, begin_s + length_s)
    return Demand(rate_bps * length_s, (release_s, release_s), due_s)


def live(rate_bps: float, length_s: float, begin_s: float, delay_s: float) -> Demand:
    """A live stream, due evenly from `begin_s` on; each bit exists `delay_s` before it is due."""
    end_s = begin_s + length_s
    released_s = (begin_s - delay_s, end_s - delay_s)
    return Demand(rate_bps * length_s, released_s, (begin_s, end_s))


def least_rate(demands: Sequence[Demand]) -> Bound:
    """The largest, over all t1 < t2, of (bits released from t1 on and due by t2) / (t2 - t1).

    It suffices to try t1 and t2 at the ends of releases and deadlines. Between these a demand
    within [t1, t2] is the positive part of a linear function, so the sum is convex, its quotient by
    t2 - t1 quasi-convex, and that is largest in a corner. O(n^3), n^2 at a time.
    Raises ValueError where there are no demands.
    """
    if not demands:
        raise ValueError("no demands: the least rate of nothing is not defined")
    bits = np.array([demand.bits for demand in demands])
    released_s = np.array([demand.released_s for demand in demands])
    due_s = np.array([demand.due_s for demand in demands])
    ends_s = np.unique(due_s)
    due = np.array([_share(due_s, end_s, reached=True) for end_s in ends_s])
    best = Bound(0.0, 0.0, 0.0)
    for start_s in np.unique(released_s):
        later = ends_s > start_s
        gone = _share(released_s, start_s, reached=False)
        within = np.maximum(due[later] - gone, 0.0) @ bits
        rates = within / (ends_s[later] - start_s)
        most = int(np.argmax(rates))
        if rates[most] > best.rate_bps:
            best = Bound(float(rates[most]), float(start_s), float(ends_s[later][most]))
    return best


def _share(spans_s: NDArray[np.float64], time_s: float, *, reached: bool) -> NDArray[np.float64]:
    """Of each span, the share before `time_s`, between 0 and 1.

    `reached`: is what happens at that very time, where all of it happens at once, included?
    """
    begin_s, end_s = spans_s[:, 0], spans_s[:, 1]
    at_once = (time_s >= end_s) if reached else (time_s > end_s)
    length_s = np.where(end_s > begin_s, end_s - begin_s, 1.0)
    return np.where(
        end_s > begin_s,
        np.clip((time_s - begin_s) / length_s, 0.0, 1.0),
        at_once.astype(np.float64),
    )
