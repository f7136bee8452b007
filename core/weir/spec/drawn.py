"""Quantities that may be drawn: as written, or from a distribution (weir.draws)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Generic, Literal, TypeVar, cast

from pydantic import Discriminator, Field, Tag

from weir import resolved
from weir.errors import Problem
from weir.spec.model import Model
from weir.spec.quantities import DurationS, RateBps, SizeBytes

__all__ = [
    "Distribution",
    "DrawnDurationS",
    "DrawnRateBps",
    "DrawnSizeBytes",
    "broken_rules",
    "resolve",
]

Q = TypeVar("Q", bound=float)
_CUT = "What lies above is left out; required, since the distribution has no end."


class Distribution(Model):
    """Any of them."""


class Uniform(Distribution, Generic[Q]):
    """Every value between two is as likely."""

    distribution: Literal["uniform"]
    at_least: Q
    at_most: Q


class LogNormal(Distribution, Generic[Q]):
    """Its natural logarithm is normal."""

    distribution: Literal["log-normal"]
    median: Q = Field(description="Without the cut.")
    sigma: float = Field(gt=0, le=10, description="Of the natural logarithm.")
    at_most: Q | None = Field(default=None, description=_CUT)


class Exponential(Distribution, Generic[Q]):
    """As times between events that know nothing of each other."""

    distribution: Literal["exponential"]
    mean: Q = Field(description="Without the cut.")
    at_most: Q | None = Field(default=None, description=_CUT)


class UniformRate(Uniform[RateBps]):
    """Of rates."""


class LogNormalRate(LogNormal[RateBps]):
    """Of rates."""


class ExponentialRate(Exponential[RateBps]):
    """Of rates."""


class UniformDuration(Uniform[DurationS]):
    """Of durations and moments."""


class LogNormalDuration(LogNormal[DurationS]):
    """Of durations and moments."""


class ExponentialDuration(Exponential[DurationS]):
    """Of durations and moments."""


class UniformSize(Uniform[SizeBytes]):
    """Of sizes."""


class LogNormalSize(LogNormal[SizeBytes]):
    """Of sizes."""


class ExponentialSize(Exponential[SizeBytes]):
    """Of sizes."""


def distribution(value: object) -> str:
    """Which branch of a drawn quantity's type a value as written means."""
    return str(value.get("distribution", "")) if isinstance(value, dict) else "<value>"


DrawnRateBps = Annotated[
    Annotated[RateBps, Tag("<value>")]
    | Annotated[UniformRate, Tag("uniform")]
    | Annotated[LogNormalRate, Tag("log-normal")]
    | Annotated[ExponentialRate, Tag("exponential")],
    Discriminator(distribution),
]
DrawnDurationS = Annotated[
    Annotated[DurationS, Tag("<value>")]
    | Annotated[UniformDuration, Tag("uniform")]
    | Annotated[LogNormalDuration, Tag("log-normal")]
    | Annotated[ExponentialDuration, Tag("exponential")],
    Discriminator(distribution),
]
DrawnSizeBytes = Annotated[
    Annotated[SizeBytes, Tag("<value>")]
    | Annotated[UniformSize, Tag("uniform")]
    | Annotated[LogNormalSize, Tag("log-normal")]
    | Annotated[ExponentialSize, Tag("exponential")],
    Discriminator(distribution),
]


def resolve(drawn: float | Distribution) -> float | resolved.Drawn:
    """What `weir.draws.draw` takes."""
    if isinstance(drawn, Distribution):
        return cast(resolved.Drawn, drawn.model_dump())
    return drawn


def broken_rules(path: str, drawn: float | Distribution) -> Iterator[Problem]:
    """Of a distribution at this path: a missing cut, bounds that hold nothing."""
    if isinstance(drawn, Uniform):
        if drawn.at_most <= drawn.at_least:
            yield Problem(f"{path}.at_most", drawn.at_most, f"above at_least, {drawn.at_least:g}",
                          "raise it, or write one value")  # fmt: skip
    elif isinstance(drawn, LogNormal | Exponential):
        if drawn.at_most is None:
            name = drawn.distribution
            yield Problem(f"{path}.at_most", None, f"a cut, since a {name} one has no end",
                          "say above what nothing is drawn")  # fmt: skip
        elif drawn.at_most <= 0:
            yield Problem(f"{path}.at_most", drawn.at_most, "above zero", "raise it")
