"""A paper's figures, to be drawn again from measured runs.

title: Rebuffer ratio, one client
kind: lines
metrics: [rebuffer_ratio_percent]
x: size
series: queue
panels: {rows: rate, columns: player}
where: {clients: 1}
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from weir.spec.paper_model import PaperModel, Selection
from weir.spec.quantities import refusal

__all__ = ["Figure", "Panels"]


class Panels(PaperModel):
    """One small picture per level of an axis, or of two."""

    rows: str | None = None
    columns: str | None = None


class Figure(PaperModel):
    """What is averaged is whatever is neither an axis of the picture nor held by `where`.

    lines, bars: means with 95 % t-intervals, over `x`, a line or bar per level of `series`.
    stacked: shares of the metrics in their sum, one bar per `x` and level of `series`.
    box: quartiles of the runs. cdf: distribution over the runs; it has no `x`.
    Several metrics (but for stacked) make a row of panels each.
    """

    title: str
    number: str = Field(default="", description="The figure's number in the paper.")
    caption: str = ""
    kind: Literal["lines", "bars", "stacked", "box", "cdf"] = "lines"
    metrics: list[str] = Field(min_length=1)
    x: str | None = None
    series: str | None = None
    panels: Panels = Panels()
    where: Selection = Field(default={})

    @model_validator(mode="after")
    def _axes(self) -> Figure:
        if (self.x is None) != (self.kind == "cdf"):
            raise refusal("x for every kind but cdf", "add or remove x")
        if self.kind != "stacked" and len(self.metrics) > 1 and self.panels.rows:
            raise refusal("one metric where panels.rows is an axis", "remove panels.rows")
        used = [axis for axis in self.axes() if axis]
        if len(used) != len(set(used)):
            raise refusal("every axis once among x, series and panels", "remove the second one")
        return self

    def axes(self) -> tuple[str | None, ...]:
        """x, series, rows, columns."""
        return self.x, self.series, self.panels.rows, self.panels.columns
