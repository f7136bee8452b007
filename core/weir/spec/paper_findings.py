"""What a paper states, as comparisons that a program can check.

    statement: CoDel keeps unfairness low.
    comparisons:
      - {metric: quality_unfairness_percent, of: {queue: codel}, expect: less,
         than: {queue: drop-tail}, where: {size: 6bdp}, each: [player], by: 5}

How a comparison is evaluated: docs/findings.md.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from weir.spec.paper_model import PaperModel, Selection
from weir.spec.quantities import refusal

__all__ = ["Comparison", "Finding", "Threshold"]


class Threshold(PaperModel):
    """How large a difference counts: in the metric's own unit, or in percent of a mean."""

    value: float = Field(ge=0, allow_inf_nan=False)
    relative: bool = False


def _threshold(value: object) -> object:
    if isinstance(value, dict | Threshold):
        return value
    relative = isinstance(value, str) and value.endswith("%")
    try:
        return {"value": float(str(value).removesuffix("%")), "relative": relative}
    except ValueError:
        allowed = "a number in the metric's unit, or percent of the mean such as 10%"
        raise refusal(allowed, "write for example 2 or 10%") from None


class Comparison(PaperModel):
    """One thing to look at; everything that is not named is averaged over, in pairs.

    greater, less: `of` against `than`, by more than `by`. With `more_for` and `than_for`, that
    difference itself is compared between two selections. effect, little effect: whether some,
    or no, pair of combinations of the axes in `across` differs by more than `by`. rises, falls:
    whether Spearman's coefficient of the means along the levels of the axis `along`, in the order
    of `where` or of the axis, is at least `by`, or at most -`by`. within: whether every run has at
    least and at most so much, in the metric's own unit.
    """

    metric: str
    expect: Literal["greater", "less", "effect", "little effect", "rises", "falls", "within"]
    of: Selection = Field(default={})
    than: Selection = Field(default={})
    more_for: Selection = Field(default={})
    than_for: Selection = Field(default={})
    across: list[str] = Field(default=[])
    along: str | None = None
    at_least: float | None = Field(default=None, allow_inf_nan=False)
    at_most: float | None = Field(default=None, allow_inf_nan=False)
    where: Selection = Field(default={})
    each: list[str] = Field(default=[], description="Axes at whose every level it must hold.")
    by: Annotated[Threshold, BeforeValidator(_threshold)] = Threshold(value=0)
    client: int | None = Field(
        default=None, ge=1, description="Rank; absent: the mean over the run's clients."
    )

    @model_validator(mode="after")
    def _bounds(self) -> Comparison:
        bounded = self.at_least is not None or self.at_most is not None
        if bounded != (self.expect == "within"):
            allowed = "`at_least`, `at_most` or both where it is to lie within them, else neither"
            raise refusal(allowed, "add or remove them")
        if self.at_least is not None and self.at_most is not None and self.at_least > self.at_most:
            raise refusal(f"`at_most` of {self.at_least:g} or more", "swap them")
        if bounded and (self.of or self.than or self.more_for or self.than_for or self.across):
            raise refusal("bounds and neither sides nor `across`", "remove them")
        if bounded and self.by.value:
            raise refusal("bounds and no `by`", "move the bounds by it")
        return self

    @model_validator(mode="after")
    def _sides(self) -> Comparison:
        if (self.along is None) == (self.expect in {"rises", "falls"}):
            raise refusal("`along` where it rises or falls, else none", "add or remove along")
        if self.along is not None:
            if self.of or self.than or self.more_for or self.than_for or self.across:
                raise refusal("`along` and neither sides nor `across`", "remove them")
            if self.by.relative or self.by.value > 1:
                raise refusal("a coefficient from 0 to 1 as `by`", "write for example 0.95")
        elif self.expect == "within":
            return self
        elif self.expect in {"greater", "less"}:
            if not self.of or self.of.keys() != self.than.keys() or self.across:
                allowed = "`of` and `than` with the same axes, and no `across`"
                raise refusal(allowed, "write for example of: {queue: codel}, than: {queue: ared}")
            if self.more_for.keys() != self.than_for.keys():
                allowed = "`more_for` and `than_for` with the same axes, or neither"
                raise refusal(allowed, "name the same axes in both")
        elif self.of or self.than or self.more_for or self.than_for or not self.across:
            raise refusal("`across` and no sides", "write for example across: [queue, size]")
        return self


class Finding(PaperModel):
    """A statement, and what it takes to be shown: every comparison."""

    statement: str
    source: str = Field(default="", description="Where the paper says so.")
    comparisons: list[Comparison] = Field(min_length=1)
