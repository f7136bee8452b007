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


def next_step(
    passing: Mapping[int, bool],
    levels: int,
    confirm: int,
    start: int | None = None,
    neighbour: int | None = None,
) -> Step:
    """What to do once these levels are known. Depends on what they say alone, not on their order.

    levels: how many there are, 2 or more. Asks for both ends, then for one level at a time, then
    for all that confirm. start: from this level, above 0, it climbs in doubling strides to one that
    passes, and needs the upper end only where the lower passes. neighbour: above 0, a level that
    the one found is likely to be near. It walks from there, and down first to `start`.
    """
    if neighbour is not None:
        bracket = _walk(passing, levels, start, neighbour)
    elif start is not None:
        bracket = _climb(passing, levels, start)
    else:
        bracket = _ends(passing, levels)
    if isinstance(bracket, Ask):
        return bracket
    low, high = bracket
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


def _ends(passing: Mapping[int, bool], levels: int) -> Ask | tuple[int, int]:
    unknown = _unknown(passing, (0, levels - 1))
    return Ask(unknown) if unknown else (0, levels - 1)


def _climb(passing: Mapping[int, bool], levels: int, start: int) -> Ask | tuple[int, int]:
    """A level that fails and one above that passes; or the ends, where these agree."""
    if 0 not in passing:
        return Ask((0,))
    if passing[0]:
        return _ends(passing, levels)
    return _up(passing, levels, 0, min(start, levels - 1), 1)


def _walk(
    passing: Mapping[int, bool], levels: int, start: int | None, neighbour: int
) -> Ask | tuple[int, int]:
    """As `_climb`, from a neighbour in doubling strides: up where it fails, down where it passes.

    The first one is a quarter of the way to `start`: so both what is as near to `start` as to the
    neighbour and what is next to it take few.
    """
    if missing := _unknown(passing, (0, neighbour)):
        return Ask(missing)
    if passing[0]:
        return _ends(passing, levels)
    floor = 0 if start is None else start
    stride = 1 if start is None else max(1, (neighbour - start) // 4)
    if not passing[neighbour]:
        return _up(passing, levels, neighbour, min(neighbour + stride, levels - 1), 2 * stride)
    high = neighbour
    while True:
        at = max(high - stride, floor if high > floor else 0)
        if at not in passing:
            return Ask((at,))
        if not passing[at]:
            return at, high
        high, stride = at, 1 if at == floor else 2 * stride


def _up(
    passing: Mapping[int, bool], levels: int, low: int, at: int, stride: int
) -> Ask | tuple[int, int]:
    """From `low`, which fails, and `at` in doubling strides."""
    while True:
        if at not in passing:
            return Ask((at,))
        if passing[at] or at == levels - 1:
            return low, at
        low, at, stride = at, min(at + stride, levels - 1), 2 * stride


def _unknown(passing: Mapping[int, bool], levels: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(level for level in levels if level not in passing)
