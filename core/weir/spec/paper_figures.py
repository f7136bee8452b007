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

from typing import Final, Literal

from pydantic import Field, model_validator

from weir.spec.paper_model import PaperModel, Selection
from weir.spec.quantities import refusal

__all__ = ["Figure", "Panels", "Quotient"]

Kind = Literal[
    "lines",
    "bars",
    "heat map",
    "stacked",
    "box",
    "cdf",
    "shares",
    "time",
    "transfer",
    "window",
]


_OVER_OWN: Final = {"cdf", "shares", "time", "transfer", "window"}
"""Kinds whose horizontal axis is of their own."""


class Panels(PaperModel):
    """One small picture per level of an axis, or of two."""

    rows: str | None = None
    columns: str | None = None


class Quotient(PaperModel):
    """Pairs of runs in place of runs: alike in everything, the seed too, but for the axes here.
    The figure's `where` holds of the run that is divided; `than` says by which, also where `where`
    leaves that out.

    With `bound`, a metric of the run at `than` which no run could better, it is the share of the
    possible gain that was had: (than - of) / (than - bound).
    """

    than: Selection = Field(description="Levels of the run that is divided by.")
    of: Selection = Field(default={}, description="Those of the other; without: of any.")
    bound: str | None = None

    @model_validator(mode="after")
    def _some(self) -> Quotient:
        if not self.than:
            raise refusal("a level to divide by, such as {control: reno}", "name an axis's level")
        return self


class Figure(PaperModel):
    """What is averaged is whatever is neither an axis of the picture nor held by `where`.

    lines, bars: means with 95 % t-intervals or standard deviations (`error_bars`), over `x`, a line
    or bar per level of `series`; of the runs' values, or of quotients of theirs (`quotient`).
    heat map: means as coloured squares, over `x` and, downwards, `series`.
    stacked: shares of the metrics in their sum, one bar per `x` and level of `series`.
    box: quartiles of the runs. cdf: distribution over the runs. Both may be over clients or
    segments instead (`each`); of segments they show values of weir.metrics.per_segment.
    shares: of each value of the segments' among all, on a logarithmic axis that ends with 0.
    transfer: the packets of one transfer after a pause, received and lost: sequence number over
    time; of the first run, its first client, the restart nearest to the middle of the session.
    window: cwnd and ssthresh around that restart, beside the window before it and the BDP.
    time: curves of weir.metrics.over_time, of the first run, a colour for each of its first eight
    clients; several metrics, of one unit, share a panel.
    cdf, shares, time, transfer and window have no `x`. Several metrics are curves of one cdf, or
    make a row of panels each.
    """

    title: str
    number: str = Field(default="", description="The figure's number in the paper.")
    caption: str = ""
    kind: Kind = "lines"
    metrics: list[str] = Field(default=[])
    each: Literal["run", "client", "segment"] = Field(
        default="run", description="What a value of a box or a cdf is of."
    )
    x: str | None = None
    series: str | None = None
    panels: Panels = Panels()
    where: Selection = Field(default={})
    quotient: Quotient | None = None
    error_bars: Literal["ci95", "stddev"] = Field(
        default="ci95", description="What lines and bars show beside a mean."
    )
    ladder: bool = Field(default=False, description="A cdf's lines at the rates of the film.")
    span_s: float = Field(
        default=0.25,
        gt=0,
        description="How much a transfer shows; a window before and after.",
    )

    @model_validator(mode="after")
    def _axes(self) -> Figure:
        if (self.x is None) != (self.kind in _OVER_OWN):
            raise refusal(
                "x for every kind but cdf, shares, time, transfer and window", "add or remove x"
            )
        if (
            self.kind not in {"stacked", "cdf", "time"}
            and len(self.metrics) > 1
            and self.panels.rows
        ):
            raise refusal("one metric where panels.rows is an axis", "remove panels.rows")
        used = [axis for axis in self.axes() if axis]
        if len(used) != len(set(used)):
            raise refusal("every axis once among x, series and panels", "remove the second one")
        return self

    @model_validator(mode="after")
    def _values(self) -> Figure:
        if bool(self.metrics) == (self.kind in {"transfer", "window"}):
            raise refusal("metrics for every kind but transfer and window", "add or remove metrics")
        if self.kind in {"time", "transfer", "window"} and self.series:
            raise refusal("no series in one run", "make it an axis of panels")
        if self.kind == "heat map" and self.series is None:
            raise refusal("series in a heat map, for its rows", "name an axis as series")
        if self.kind == "shares" and (self.each != "segment" or len(self.metrics) > 1):
            raise refusal("shares of one value of segments", "each: segment, and one metric")
        if self.each != "run" and self.kind not in {"box", "cdf", "shares"}:
            raise refusal("each run, but for box, cdf and shares", "remove each")
        if self.ladder and self.kind != "cdf":
            raise refusal("a ladder in a cdf", "remove ladder")
        if self.kind not in {"lines", "bars"} and (self.quotient or self.error_bars != "ci95"):
            raise refusal(
                "quotient and error_bars in lines and bars", "remove it, or make it kind: lines"
            )
        return self

    def axes(self) -> tuple[str | None, ...]:
        """x, series, rows, columns."""
        return self.x, self.series, self.panels.rows, self.panels.columns
