"""The levels of a search, from one end to the other in steps. Made when asked for: a million of
them take no memory."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, overload

from weir import units
from weir.errors import Problem, SpecError
from weir.spec.search import QUANTITY, Search

__all__ = ["Levels", "levels_of", "number_of"]

MAX_LEVELS = 1_000_000
_DIMENSIONS = (units.RATE, units.DURATION, units.SIZE, units.LIMIT, units.RATIO)


@dataclass(frozen=True)
class Levels(Sequence[str | int]):
    """first, step: in SI units; a step below zero leads down. unit: of the text, of which one is
    `scale` SI units; empty: whole numbers."""

    first: Decimal
    step: Decimal
    length: int
    unit: str = ""
    scale: Decimal = Decimal(1)

    def __len__(self) -> int:
        return self.length

    @overload
    def __getitem__(self, index: int) -> str | int: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str | int]: ...
    def __getitem__(self, index: int | slice) -> str | int | Sequence[str | int]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(self.length))]
        number = self.first + range(self.length)[index] * self.step
        return f"{(number / self.scale).normalize():f}{self.unit}" if self.unit else int(number)

    def downwards(self) -> Levels:
        """The same from the last one to the first."""
        last = self.first + (self.length - 1) * self.step
        return replace(self, first=last, step=-self.step)

    def reaching(self, number: float) -> int:
        """The position of the first one that is as far as this number, in SI units; how many there
        are, where none is."""
        away = 1 if self.step > 0 else -1
        numbers = range(self.length)
        return bisect_left(numbers, away * number, key=lambda i: away * number_of(self[i]))


def levels_of(search: Search) -> Levels:
    """The levels in order, as written in the unit of `from`.

    Raises SpecError: units that differ in kind, a step of 0, fewer than two levels.
    """
    if isinstance(search.from_, int):
        return _whole(search)
    dimension, first, unit = _parsed(search.from_)
    (last, last_unit), (step, step_unit) = (
        _of(dimension, path, value) for path, value in (("to", search.to), ("step", search.step))
    )
    if dimension is units.LIMIT and not unit == last_unit == step_unit:
        raise _refused("step", search.step, f"the unit of from, {unit}", "write all in one unit")
    count = _count(search, first, last, step)
    return Levels(first, step, count, unit, dimension.units[unit])


def number_of(level: str | int) -> float:
    """A level in SI units, as a metric."""
    return float(level) if isinstance(level, int) else float(_parsed(level)[1])


def _whole(search: Search) -> Levels:
    for path, value in (("to", search.to), ("step", search.step)):
        if not isinstance(value, int):
            raise _refused(f"{path}", value, "a whole number, as from is", "write one")
    first, last, step = (Decimal(each) for each in (search.from_, search.to, search.step))
    return Levels(first, step, _count(search, first, last, step))


def _count(search: Search, first: Decimal, last: Decimal, step: Decimal) -> int:
    if step <= 0:
        raise _refused("step", search.step, "a step above zero", "a search needs steps; write one")
    if last < first:
        raise _refused("to", search.to, f"at least a step above {search.from_}",
                       "swap from and to; `find` says which end is wanted")  # fmt: skip
    if last < first + step:
        raise _refused("to", search.to, f"at least a step above {search.from_}", "raise to")
    if (last - first) / step >= MAX_LEVELS:
        raise _refused("step", search.step, f"at most {MAX_LEVELS:,} levels", "raise step")
    count = int((last - first) / step) + 1
    if first + (count - 1) * step != last:
        raise _refused("to", search.to, f"whole steps of {search.step} from {search.from_}",
                       "change to or step")  # fmt: skip
    return count


def _parsed(value: str) -> tuple[units.Dimension, Decimal, str]:
    for dimension in _DIMENSIONS:
        try:
            number, unit = dimension.parse(value)
        except units.BadQuantity:
            continue
        if unit:
            return dimension, number, unit
    raise _refused("from", value, QUANTITY, "write one")


def _of(dimension: units.Dimension, path: str, value: str | int) -> tuple[Decimal, str]:
    try:
        return dimension.parse(value)
    except units.BadQuantity as error:
        raise _refused(path, value, error.allowed, error.remedy) from None


def _refused(path: str, value: Any, allowed: str, remedy: str) -> SpecError:
    return SpecError([Problem(path, value, allowed, remedy)])
