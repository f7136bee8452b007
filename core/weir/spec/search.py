"""A search: the smallest or largest level of one factor at which a metric is as wanted."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from weir import units
from weir.errors import Problem, SpecError
from weir.spec.model import Model

__all__ = ["Passes", "Search", "levels_of", "number_of", "problems_of"]

MAX_LEVELS = 1_000_000
_DIMENSIONS = (units.RATE, units.DURATION, units.SIZE, units.LIMIT, units.RATIO)

Written = Annotated[str | int, Field(description="As a level of the factor is written.")]


class Passes(Model):
    """When a level passes: the metric, of every client where it is a client's, is within these."""

    metric: str = Field(description="A metric's name.", examples=["stall_count"])
    at_most: float | None = None
    at_least: float | None = None


class Search(Model):
    """The levels from `from` to `to` in steps, of which bisection tries few."""

    model_config = ConfigDict(serialize_by_alias=True)

    factor: str = Field(
        description="Dotted path in the experiment that is searched over; no factor beside it.",
        examples=["gateway.downlink.rate"],
    )
    from_: Written = Field(alias="from", examples=["1Mbit/s"])
    to: Written = Field(examples=["20Mbit/s"])
    step: Written = Field(examples=["100kbit/s"])
    find: Literal["smallest", "largest"] = Field(
        default="smallest", description="Which of the levels that pass."
    )
    start: str | None = Field(
        default=None,
        description="A run's metric, in SI units, known from the run at `from` (at `to` where the "
        "largest is sought): from its value on the search climbs in doubling steps, in place "
        "of trying the other end.",
        examples=["edf_rate_bps"],
    )
    near: str | None = Field(
        default=None,
        description="A factor whose neighbouring levels are likely to have nearly the same result: "
        "from its second level on, a search starts at what was found for the level before.",
        examples=["server.congestion_control"],
    )
    passes: Passes
    per: Literal["combination", "replicate"] = Field(
        default="combination",
        description="One search where all replicates must pass, or a search for each replicate.",
    )
    confirm: int = Field(
        default=2,
        ge=0,
        le=100,
        description="How many steps beyond the found level are tried too; those that fail are "
        "counted.",
    )


def levels_of(search: Search) -> list[str | int]:
    """The levels in order, as written in the unit of `from`.

    Raises SpecError: units that differ in kind, a step of 0, fewer than two levels.
    """
    return list(_levels(search))


@lru_cache(maxsize=16)
def _levels(search: Search) -> list[str | int]:
    if isinstance(search.from_, int):
        return _whole(search)
    dimension, first, unit = _parsed(search.from_)
    (last, last_unit), (step, step_unit) = (
        _of(dimension, path, value) for path, value in (("to", search.to), ("step", search.step))
    )
    if dimension is units.LIMIT and not unit == last_unit == step_unit:
        raise _refused("step", search.step, f"the unit of from, {unit}", "write all in one unit")
    count = _count(search, first, last, step)
    return [_text((first + k * step) / dimension.units[unit]) + unit for k in range(count)]


def _whole(search: Search) -> list[str | int]:
    for path, value in (("to", search.to), ("step", search.step)):
        if not isinstance(value, int):
            raise _refused(f"{path}", value, "a whole number, as from is", "write one")
    first, last, step = (int(each) for each in (search.from_, search.to, search.step))
    count = _count(search, Decimal(first), Decimal(last), Decimal(step))
    return [first + k * step for k in range(count)]


def _count(search: Search, first: Decimal, last: Decimal, step: Decimal) -> int:
    if step <= 0:
        raise _refused("step", search.step, "a step above zero", "a search needs steps; write one")
    if last < first + step:
        raise _refused("to", search.to, f"at least a step above {search.from_}", "raise to")
    count = int((last - first) / step) + 1
    if first + (count - 1) * step != last:
        raise _refused("to", search.to, f"whole steps of {search.step} from {search.from_}",
                       "change to or step")  # fmt: skip
    if count > MAX_LEVELS:
        raise _refused("step", search.step, f"at most {MAX_LEVELS:,} levels", "raise step")
    return count


def _parsed(value: str) -> tuple[units.Dimension, Decimal, str]:
    for dimension in _DIMENSIONS:
        try:
            number, unit = dimension.parse(value)
        except units.BadQuantity:
            continue
        if unit:
            return dimension, number, unit
    raise _refused("from", value, "a quantity such as 1Mbit/s, or a whole number", "write one")


def _of(dimension: units.Dimension, path: str, value: str | int) -> tuple[Decimal, str]:
    try:
        return dimension.parse(value)
    except units.BadQuantity as error:
        raise _refused(path, value, error.allowed, error.remedy) from None


def _text(number: Decimal) -> str:
    return f"{number.normalize():f}"


def number_of(level: str | int) -> float:
    """A level in SI units, as a metric."""
    return float(level) if isinstance(level, int) else float(_parsed(level)[1])


def problems_of(search: Search, factors: set[str], metrics: set[str]) -> Iterator[Problem]:
    """What is wrong with a search beside these factors, by paths that start at the campaign."""
    path, passes = search.factor, search.passes
    for other in factors:
        if path == other or path.startswith(f"{other}.") or other.startswith(f"{path}."):
            yield Problem("search.factor", path, "a path that no factor sets",
                          f"{other} is a factor already; keep one")  # fmt: skip
    if passes.metric not in metrics:
        yield Problem("search.passes.metric", passes.metric, "a metric's name",
                      "docs/reference.md lists them")  # fmt: skip
    if search.start is not None and search.start not in metrics:
        yield Problem("search.start", search.start, "a metric's name",
                      "docs/reference.md lists them")  # fmt: skip
    if passes.at_most is None and passes.at_least is None:
        yield Problem("search.passes", None, "at_most, at_least or both", "name a bound")
    try:
        levels_of(search)
    except SpecError as error:
        for each in error.problems:
            yield Problem(f"search.{each.path}", each.value, each.allowed, each.remedy)


def _refused(path: str, value: Any, allowed: str, remedy: str) -> SpecError:
    return SpecError([Problem(path, value, allowed, remedy)])
