"""A search: the smallest or largest level of one factor at which a metric is as wanted."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, ConfigDict, Field

from weir.spec.model import Model
from weir.spec.quantities import refusal

__all__ = ["QUANTITY", "Passes", "Search"]

QUANTITY = "a quantity such as 1Mbit/s, or a whole number"


def _written(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise refusal(QUANTITY, "write it as a level of the factor is written")
    return value


Written = Annotated[
    str | int,
    BeforeValidator(_written),
    Field(description="As a level of the factor is written."),
]


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
