"""Bisection over levels 0 to n - 1, of which the low ones fail and the high ones pass. Pure.

That passing is monotone is checked where it matters most, not assumed: the `confirm` levels above
the found one are tried too, and those that fail are exceptions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Ask", "Found", "NotFound", "Step", "next_step"]


@dataclass(frozen=True)
class Ask:
    """These levels have to be known next."""

    levels: tuple[int, ...]


@dataclass(frozen=True)
class Found:
    """The least level that passes with all tried below it failing. exceptions: levels above it
    that were tried to confirm it and fail."""

    level: int
    exceptions: tuple[int, ...]


@dataclass(frozen=True)
class NotFound:
    """Not the lower end fails and the upper passes. Whether each passes."""

    lower: bool
    upper: bool


Step = Ask | Found | NotFound


def next_step(passing: Mapping[int, bool], levels: int, confirm: int) -> Step:
    """What to do once these levels are known. Depends on what they say alone, not on their order.

    levels: how many there are, 2 or more. Asks for both ends, then for one level at a time, then
    for all that confirm.
    """
    low, high = 0, levels - 1
    if ends := _unknown(passing, (low, high)):
        return Ask(ends)
    if passing[low] or not passing[high]:
        return NotFound(passing[low], passing[high])
    while high - low > 1:
        middle = (low + high) // 2
        if middle not in passing:
            return Ask((middle,))
        low, high = (low, middle) if passing[middle] else (middle, high)
    beyond = tuple(range(high + 1, min(high + confirm, levels - 1) + 1))
    if missing := _unknown(passing, beyond):
        return Ask(missing)
    return Found(high, tuple(level for level in beyond if not passing[level]))


def _unknown(passing: Mapping[int, bool], levels: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(level for level in levels if level not in passing)
