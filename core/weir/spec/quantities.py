"""Field types of the spec: quantity strings that become SI numbers, described in JSON Schema."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, get_args

from pydantic import BeforeValidator, PlainSerializer, PlainValidator, WithJsonSchema
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from weir import units

__all__ = [
    "DurationS",
    "PositiveDurationS",
    "QueueLimit",
    "RateBps",
    "RatioUnbounded",
    "RatioUpTo1",
    "SizeBytes",
    "Unit",
    "refusal",
    "with_unit",
]


@dataclass(frozen=True)
class Unit:
    """The SI unit of a type's values, as names end in it."""

    suffix: str


def with_unit(name: str, field: FieldInfo) -> str:
    """The resolved name of a field: `target`, a duration, becomes `target_s`, also if optional."""
    inner = [each for kind in get_args(field.annotation) for each in get_args(kind)[1:]]
    units = [each.suffix for each in (*field.metadata, *inner) if isinstance(each, Unit)]
    return "_".join([name, *units])


def refusal(allowed: str, remedy: str) -> PydanticCustomError:
    """An error that keeps its two halves apart until it becomes a `Problem`."""
    return PydanticCustomError(
        "weir", "not {allowed}; {remedy}", {"allowed": allowed, "remedy": remedy}
    )


def _reader(
    parse: Callable[[object], Any], check: Callable[[Any], str | None] = lambda _: None
) -> Callable[[object], Any]:
    def read(value: object) -> Any:
        try:
            parsed = parse(value)
        except units.BadQuantity as error:
            raise refusal(error.allowed, error.remedy) from None
        if complaint := check(parsed):
            allowed, _, remedy = complaint.partition("; ")
            raise refusal(allowed, remedy)
        return parsed

    return read


def _above_zero(name: str, example: str) -> Callable[[float], str | None]:
    def check(value: float) -> str | None:
        return None if value > 0 else f"{name} above zero; write for example {example}"

    return check


def _at_most_1(value: float) -> str | None:
    return None if value <= 1 else "0% to 100%; a share cannot exceed the whole"


def _schema(dimension: units.Dimension, meaning: str, *examples: str) -> WithJsonSchema:
    return WithJsonSchema(
        {
            "type": "string",
            "pattern": dimension.pattern,
            "description": f"{meaning}. Units: {', '.join(dimension.units)}.",
            "examples": list(examples or (dimension.example,)),
        }
    )


RateBps = Annotated[
    float,
    Unit("bps"),
    BeforeValidator(_reader(units.rate_bps, _above_zero("a rate", "8Mbit/s"))),
    _schema(units.RATE, "A rate above zero", "8Mbit/s", "248kbit/s"),
]
DurationS = Annotated[
    float,
    Unit("s"),
    BeforeValidator(_reader(units.duration_s)),
    _schema(units.DURATION, "A duration or a moment", "100ms", "30s"),
]
PositiveDurationS = Annotated[
    float,
    Unit("s"),
    BeforeValidator(_reader(units.duration_s, _above_zero("a duration", "2s"))),
    _schema(units.DURATION, "A duration above zero", "2s", "3min"),
]
RatioUpTo1 = Annotated[
    float,
    BeforeValidator(_reader(units.ratio, _at_most_1)),
    _schema(units.RATIO, "A share, 0% to 100%", "50%"),
]
RatioUnbounded = Annotated[
    float,
    BeforeValidator(_reader(units.ratio)),
    _schema(units.RATIO, "A percentage, may exceed 100%", "10%"),
]
SizeBytes = Annotated[
    int,
    Unit("bytes"),
    BeforeValidator(_reader(units.size_bytes, _above_zero("a size", "20packets"))),
    _schema(units.SIZE, "A size above zero; a packet is 1500 bytes", "11packets", "16kB"),
]
QueueLimit = Annotated[
    units.Limit,
    PlainValidator(_reader(units.limit)),
    PlainSerializer(
        lambda limit: f"{limit.packets}packets" if limit.packets else f"{limit.bdp}bdp"
    ),
    _schema(units.LIMIT, "A queue limit, in packets of 1500 bytes or in BDPs", "1bdp", "67packets"),
]
