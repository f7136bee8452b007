"""Quantities that may be drawn: as written, or from a distribution.

A draw is the distribution's inverse at one uniform number, so that the same number gives the same
rank under every distribution. A cut (`at_most`) leaves out what lies above it, as if larger values
were drawn again.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, expm1, log, log1p
from statistics import NormalDist
from typing import Annotated, Generic, Literal, TypeVar

from pydantic import Discriminator, Field, Tag

from weir.errors import Problem
from weir.spec.model import Model
from weir.spec.quantities import DurationS, RateBps, SizeBytes

__all__ = [
    "Distribution",
    "DrawnDurationS",
    "DrawnRateBps",
    "DrawnSizeBytes",
    "broken_rules",
    "draw",
]

Q = TypeVar("Q", bound=float)
_NORMAL = NormalDist()
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


def draw(drawn: float | Distribution, uniform: float) -> float:
    """The value at one number of [0, 1); what is written, where it is not drawn."""
    if isinstance(drawn, Uniform):
        return float(drawn.at_least + uniform * (drawn.at_most - drawn.at_least))
    if isinstance(drawn, LogNormal):
        centre, most = log(drawn.median), log(_cut(drawn))
        within = _NORMAL.cdf((most - centre) / drawn.sigma)
        # 0 has no inverse; a 2^53rd is as good.
        return exp(centre + drawn.sigma * _NORMAL.inv_cdf(max(uniform, 2**-53) * within))
    if isinstance(drawn, Exponential):
        within = -expm1(-_cut(drawn) / drawn.mean)
        return float(-drawn.mean * log1p(-uniform * within))
    assert isinstance(drawn, int | float)
    return drawn


def _cut(drawn: LogNormal[float] | Exponential[float]) -> float:
    assert drawn.at_most is not None, "broken_rules has refused it"
    return drawn.at_most


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
