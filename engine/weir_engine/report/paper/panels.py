"""The numbers of a figure: panels of series of points, nothing drawn yet. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from weir.spec import Paper
from weir.spec.paper_figures import Figure
from weir.stats import summary

from weir_engine.report.paper.pool import Observation, Pool
from weir_engine.report.paper.words import metric_of, title_of

__all__ = ["Grid", "Panel", "Point", "grid"]


Values = list[list[float | None]]

_HOW = {
    "lines": "Means with 95 % t-intervals",
    "bars": "Means with 95 % t-intervals",
    "stacked": "Mean over the runs of the shares in each run, above it the mean number of all",
    "box": "Median, quartiles, whiskers to 1.5 interquartile ranges",
    "cdf": "Distribution over the runs",
}


@dataclass(frozen=True)
class Point:
    """One metric at one place of x: place is the position among the grid's places.

    values: of the runs, identical replicates once. ci: 95 % t-interval, None below two values.
    """

    place: int
    mean: float
    ci: tuple[float, float] | None
    values: tuple[float, ...]


@dataclass(frozen=True)
class Panel:
    """series: (index of the series, index of the metric of a stack) -> points in order of x.

    sums: of a stack, (index of the series, place) -> mean over the runs of the sum that is shared.
    """

    series: dict[tuple[int, int], list[Point]]
    sums: dict[tuple[int, int], float]

    @property
    def empty(self) -> bool:
        return not any(self.series.values())


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
    measured: list[tuple[str, str]]
    panels: list[list[Panel]]
    n: tuple[int, int]
    """least and largest number of runs behind a point"""

    @property
    def how(self) -> str:
        """How the numbers came about, for the caption."""
        low, high = self.n
        runs = f"{low} runs" if low == high else f"{low} to {high} runs"
        behind = {"box": f"{runs} a box", "cdf": f"{runs} a curve", "stacked": f"{runs} a bar"}
        return f"{_HOW[self.figure.kind]}, {behind.get(self.figure.kind, f'{runs} each')}."

    @property
    def empty(self) -> bool:
        return all(panel.empty for line in self.panels for panel in line)


def grid(pool: Pool, figure: Figure) -> Grid:
    """The figure from the pool's runs; levels that no run has are left out."""
    runs = _distinct(pool.select(figure.where))
    paper = pool.paper
    x, series, rows, columns = (_levels(paper, figure, runs, axis) for axis in figure.axes())
    stacked = figure.kind == "stacked"
    by_row = [figure.metrics] if stacked else [[metric] for metric in figure.metrics]
    lines = [(metrics, row) for metrics in by_row for row in rows]
    panels = [
        [_panel(pool, figure, runs, metrics, (row, column), x, series) for column in columns]
        for metrics, row in lines
    ]
    counts = [
        len(p.values) for line in panels for one in line for s in one.series.values() for p in s
    ]
    return Grid(
        figure=figure,
        rows=[_label(paper, figure.panels.rows, row) for _, row in lines],
        columns=[_label(paper, figure.panels.columns, column) for column in columns],
        places=[_label(paper, figure.x, level) for level in x] if figure.x else [],
        x_title=title_of(paper, figure.x) if figure.x else "",
        series=[_label(paper, figure.series, level) for level in series],
        series_title=title_of(paper, figure.series) if figure.series else "",
        stack=[metric_of(paper, metric)[0] for metric in figure.metrics] if stacked else [],
        measured=[
            ("Share", "%") if stacked else metric_of(paper, metrics[0]) for metrics, _ in lines
        ],
        panels=panels,
        n=(min(counts, default=0), max(counts, default=0)),
    )


def _panel(
    pool: Pool,
    figure: Figure,
    runs: list[Observation],
    metrics: list[str],
    at: tuple[str | None, str | None],
    x: list[str | None],
    series: list[str | None],
) -> Panel:
    row, column = at
    here = [r for r in runs if _at(r, figure.panels.rows, row)]
    here = [r for r in here if _at(r, figure.panels.columns, column)]
    found: dict[tuple[int, int], list[Point]] = {}
    sums: dict[tuple[int, int], float] = {}
    for number, level in enumerate(series):
        own = [run for run in here if _at(run, figure.series, level)]
        for place, x_level in enumerate(x):
            cell = [run for run in own if _at(run, figure.x, x_level)]
            table = [[pool.value(run, metric, None) for run in cell] for metric in metrics]
            if figure.kind == "stacked" and cell:
                table, sums[number, place] = _shares(table)
            for index, line in enumerate(table):
                values = [value for value in line if value is not None]
                if values:
                    found.setdefault((number, index), []).append(_point(place, values))
    return Panel(found, sums)


def _shares(table: Values) -> tuple[Values, float]:
    """[metric][run] -> the same as percent of each run's sum, None where that is 0; mean sum."""
    sums = [sum(value or 0 for value in run) for run in zip(*table, strict=True)]
    shares: Values = [
        [
            100 * (value or 0) / whole if whole else None
            for value, whole in zip(line, sums, strict=True)
        ]
        for line in table
    ]
    return shares, fmean(sums)


def _point(place: int, values: list[float]) -> Point:
    found = summary(values)
    interval = (found.ci_low, found.ci_high) if found.n > 1 else None
    return Point(place, fmean(values), interval, tuple(values))


def _distinct(runs: list[Observation]) -> list[Observation]:
    """Identical replicates once."""
    return list({(run.held(set()), run.outcome): run for run in runs}.values())


def _at(run: Observation, axis: str | None, level: str | None) -> bool:
    return axis is None or run.levels.get(axis) == level


def _levels(
    paper: Paper, figure: Figure, runs: list[Observation], axis: str | None
) -> list[str | None]:
    """The axis's levels that some run has, in the paper's order; [None] without an axis."""
    if axis is None:
        return [None]
    had = {run.levels.get(axis) for run in runs}
    return [level for level in paper.axes[axis].levels if level in had]


def _label(paper: Paper, axis: str | None, level: str | None) -> str:
    return "" if axis is None or level is None else paper.axes[axis].levels[level]
