"""Factors as axes, and their combinations: grid x zip - exclude. Nothing here builds a run.

An axis is a list of points; a point sets one path (a factor of the grid) or several at once (a
zip). A combination picks a point of every axis; the last axis varies fastest. A combination is
left out when any exclusion's every path has the level that the exclusion names.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

__all__ = ["Axes", "Axis", "Grid", "Point", "level_key", "same_level"]

Point = dict[str, Any]
"""Dotted path -> level as written."""

Axis = list[Point]

Axes = list[Axis]


def same_level(left: object, right: object) -> bool:
    """Whether two levels are the same as written: 1 and true differ, 1 and 1.0 too."""
    return level_key(left) == level_key(right)


def level_key(level: object) -> str:
    """A level as text that is equal for equal levels only."""
    return json.dumps(level, sort_keys=True, default=str)


class Grid:
    """The combinations of some axes without those that an exclusion leaves out."""

    def __init__(self, axes: Axes, exclusions: Sequence[Mapping[str, Any]]) -> None:
        self.axes = axes
        self._every = (1 << len(exclusions)) - 1
        wanted = [{path: level_key(level) for path, level in e.items()} for e in exclusions]
        # Of every axis and point, the exclusions that survive choosing it, as bit masks.
        self._keeps = [[_matching(point, wanted) for point in axis] for axis in axes]
        # Of every axis, the exclusions whose last path it holds: they are complete after it.
        self._ends = [0] * len(axes)
        for bit, exclusion in enumerate(wanted):
            holding = [i for i, axis in enumerate(axes) if not axis[0].keys().isdisjoint(exclusion)]
            if holding:
                self._ends[holding[-1]] |= 1 << bit

    def combinations(self, fixed: Mapping[int, int] | None = None) -> Iterator[list[int]]:
        """Every kept combination, as the index of its point per axis, in order.

        fixed: axis -> the only point to take from it. A branch is left as soon as an exclusion
        is complete, so the first combination comes fast from any campaign.
        """
        fixed = fixed or {}

        def walk(number: int, alive: int, chosen: list[int]) -> Iterator[list[int]]:
            if number == len(self.axes):
                yield chosen
                return
            choices = [fixed[number]] if number in fixed else range(len(self.axes[number]))
            for index in choices:
                left = alive & self._keeps[number][index]
                if not left & self._ends[number]:
                    yield from walk(number + 1, left, [*chosen, index])

        yield from walk(0, self._every, [])

    def covering(self) -> Iterator[list[int]]:
        """The first combination, and the first with each point of each axis, each once: as many
        as there are levels at most.
        """
        seen: set[tuple[int, ...]] = set()
        points = ({axis: k} for axis, every in enumerate(self.axes) for k in range(len(every)))
        for fixed in chain([{}], points):
            chosen = next(self.combinations(fixed), None)
            if chosen is not None and tuple(chosen) not in seen:
                seen.add(tuple(chosen))
                yield chosen

    def count(self) -> int:
        """How many combinations there are, without going through them.

        Partial choices that leave the same exclusions open are counted together: the cost depends
        on the exclusions and the levels, not on the product of the levels.
        """
        states = {self._every: 1}
        for masks, ends in zip(self._keeps, self._ends, strict=True):
            following: dict[int, int] = {}
            for alive, ways in states.items():
                for mask in masks:
                    left = alive & mask
                    if not left & ends:
                        following[left] = following.get(left, 0) + ways
            states = following
        return sum(states.values())

    def point(self, chosen: Sequence[int]) -> Point:
        """The levels of a combination, over all axes."""
        levels: Point = {}
        for axis, index in zip(self.axes, chosen, strict=True):
            levels.update(axis[index])
        return levels


def _matching(point: Point, exclusions: Sequence[Mapping[str, str]]) -> int:
    keys = {path: level_key(level) for path, level in point.items()}
    return sum(
        1 << bit
        for bit, exclusion in enumerate(exclusions)
        if all(keys[path] == exclusion[path] for path in keys if path in exclusion)
    )
