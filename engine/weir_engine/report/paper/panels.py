"""The numbers of a figure: panels of series of points, nothing drawn yet."""

from __future__ import annotations

from dataclasses import dataclass

from weir.metrics.burst import Burst
from weir.metrics.window import Window
from weir.spec.paper_figures import Figure

from weir_engine.report.paper.course import Course

__all__ = ["Grid", "Panel", "Point"]

_HOW = {
    "lines": "Means with 95 % t-intervals",
    "bars": "Means with 95 % t-intervals",
    "heat map": "Means",
    "stacked": "Mean over the runs of the shares in each run, above it the mean number of all",
    "box": "Median, quartiles, whiskers to 1.5 interquartile ranges",
    "cdf": "Distribution",
    "shares": "Share of each value in all that a series has in a panel",
    "time": "Course of the run with the smallest seed",
    "transfer": "One transfer after a pause, nearest to the middle of a run",
    "window": "Around one pause, nearest to the middle of a run",
}
_OF = {"box": "a box", "cdf": "a curve", "stacked": "a bar", "shares": "a series"}


@dataclass(frozen=True)
class Point:
    """One metric at one place of x: place is the position among the grid's places.

    values: of the runs, identical replicates once, or of what `each` of the figure says. error_bar:
    its ends; None below two values, and where no mean is drawn. n: how many values stand behind.
    """

    place: int
    mean: float
    error_bar: tuple[float, float] | None
    values: tuple[float, ...]
    n: int


@dataclass(frozen=True)
class Panel:
    """series: (index of the series, index of the metric in a stack or cdf) -> points, by x.

    sums: of a stack, (index of the series, place) -> mean over the runs of the sum that is shared.
    burst: what a transfer sent. window: the sender's around a pause. course: curves over time.
    """

    series: dict[tuple[int, int], list[Point]]
    sums: dict[tuple[int, int], float]
    burst: Burst | None = None
    window: Window | None = None
    course: tuple[Course, ...] = ()

    @property
    def empty(self) -> bool:
        return not (self.burst or self.window or self.course or any(self.series.values()))


@dataclass(frozen=True)
class Grid:
    """A figure's panels, [row][column], and the names of all that varies.

    measured: of each row, (title, unit) of what it shows.
    """

    figure: Figure
    rows: list[str]
    columns: list[str]
    places: list[str]
    x_title: str
    series: list[str]
    series_title: str
    stack: list[str]
    """titles of the metrics that share a panel"""
    measured: list[tuple[str, str]]
    panels: list[list[Panel]]
    n: tuple[int, int]
    """least and largest number of values behind a point"""
    ladder_bps: tuple[float, ...] = ()

    @property
    def how(self) -> str:
        """How the numbers came about, for the caption."""
        how = _HOW[self.figure.kind]
        if self.figure.error_bars == "stddev":
            how = "Means with standard deviations"
        if self.figure.kind in {"time", "transfer", "window"}:
            return f"{how}."
        low, high = self.n
        count = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        values = f"{count} {'pairs of run' if self.figure.quotient else self.figure.each}s"
        return f"{how}, {values} {_OF.get(self.figure.kind, 'each')}."

    @property
    def empty(self) -> bool:
        return all(panel.empty for line in self.panels for panel in line)
