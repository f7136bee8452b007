"""A figure's numbers, taken from the pool's runs."""

from __future__ import annotations

from weir.spec.paper import Paper
from weir.spec.paper_figures import Figure

from weir_engine.report.paper.course import course
from weir_engine.report.paper.panels import Grid, Panel, Point
from weir_engine.report.paper.points import at_places, point, shares_in_sum, shares_of_values
from weir_engine.report.paper.pool import Observation, Pool
from weir_engine.report.paper.transfer import transfer, window_around
from weir_engine.report.paper.values import Values, values
from weir_engine.report.paper.words import measured_of, title_of, value_of

__all__ = ["grid"]

_DRAWN_AS_MEANS = {"lines", "bars", "stacked"}
_TOGETHER = {"stacked", "cdf", "shares", "time", "transfer", "window"}
"""Kinds whose metrics share a panel."""

Levels = list[str | None]


def grid(pool: Pool, figure: Figure) -> Grid:
    """The figure from the pool's runs; levels that no run has are left out."""
    runs, paper = pool.select(figure.where), pool.paper
    if not figure.quotient:
        runs = _distinct(runs)
    x, series, rows, columns = (_levels(paper, figure, runs, axis) for axis in figure.axes())
    of = {metric: values(pool, figure, metric, runs) for metric in figure.metrics}
    by_row = [of] if figure.kind in _TOGETHER else [{m: own} for m, own in of.items()]
    lines = [(of_row, row) for of_row in by_row for row in rows]
    panels = [
        [
            _panel(
                pool,
                figure,
                _cell(figure, runs, row, column),
                of_row,
                x,
                series,
            )
            for column in columns
        ]
        for of_row, row in lines
    ]
    places = [_label(paper, figure.x, level) for level in x] if figure.x else []
    if figure.kind == "shares":
        numbers = sorted({p.place for p in _points(panels)})
        places = [f"{number:+d}" if number else "0" for number in numbers]
        panels = [[at_places(panel, numbers) for panel in line] for line in panels]
    counts = [p.n for p in _points(panels)]
    titles = [value_of(paper, figure, metric)[0] for metric in figure.metrics]
    return Grid(
        figure=figure,
        rows=[_name(paper, figure.panels.rows, row) for _, row in lines],
        columns=[_name(paper, figure.panels.columns, column) for column in columns],
        places=places,
        x_title=title_of(paper, figure.x) if figure.x else "".join(titles[:1]),
        series=[_label(paper, figure.series, level) for level in series],
        series_title=title_of(paper, figure.series) if figure.series else "",
        stack=titles if figure.kind in {"stacked", "cdf", "time"} else [],
        measured=[measured_of(paper, figure, list(of_row), pool.level_unit) for of_row, _ in lines],
        panels=panels,
        n=(min(counts, default=0), max(counts, default=0)),
        ladder_bps=_ladder(runs) if figure.ladder else (),
    )


def _panel(
    pool: Pool,
    figure: Figure,
    here: list[Observation],
    of: dict[str, Values],
    x: Levels,
    series: Levels,
) -> Panel:
    """here: the runs of the panel. of: its metrics' values."""
    if figure.kind == "transfer":
        return Panel({}, {}, transfer(here, figure.span_s))
    if figure.kind == "window":
        return Panel({}, {}, window=window_around(here, figure.span_s))
    if figure.kind == "time":
        return Panel({}, {}, course=tuple(course(here, list(of))))
    found: dict[tuple[int, int], list[Point]] = {}
    sums: dict[tuple[int, int], float] = {}
    bars = figure.error_bars if figure.kind in _DRAWN_AS_MEANS else None
    for number, level in enumerate(series):
        own = [run for run in here if _at(run, figure.series, level)]
        for place, x_level in enumerate(x):
            runs = [run for run in own if _at(run, figure.x, x_level)]
            if figure.kind == "stacked" and runs:
                whole = [[pool.value(run, metric, None) for run in runs] for metric in of]
                parts, sums[number, place] = shares_in_sum(whole)
                table = [[value for value in part if value is not None] for part in parts]
            else:
                table = [own_values(runs) for own_values in of.values()]
            for index, some in enumerate(table):
                if some and figure.kind == "shares":
                    found[number, index] = shares_of_values(some)
                elif some:
                    one = point(place, some, bars)
                    found.setdefault((number, index), []).append(one)
    return Panel(found, sums)


def _points(panels: list[list[Panel]]) -> list[Point]:
    every = [panel for line in panels for panel in line]
    return [p for panel in every for points in panel.series.values() for p in points]


def _cell(
    figure: Figure, runs: list[Observation], row: str | None, column: str | None
) -> list[Observation]:
    mine = [run for run in runs if _at(run, figure.panels.rows, row)]
    return [run for run in mine if _at(run, figure.panels.columns, column)]


def _distinct(runs: list[Observation]) -> list[Observation]:
    """Identical replicates once."""
    return list({(run.held(set()), run.outcome): run for run in runs}.values())


def _at(run: Observation, axis: str | None, level: str | None) -> bool:
    return axis is None or run.levels.get(axis) == level


def _levels(paper: Paper, figure: Figure, runs: list[Observation], axis: str | None) -> Levels:
    """The axis's levels that some run has, in the paper's order; [None] without an axis."""
    if axis is None:
        return [None]
    had = {run.levels.get(axis) for run in runs}
    return [level for level in paper.axes[axis].levels if level in had]


def _label(paper: Paper, axis: str | None, level: str | None) -> str:
    return "" if axis is None or level is None else paper.axes[axis].levels[level]


def _name(paper: Paper, axis: str | None, level: str | None) -> str:
    """Of a panel: its level's label, with the axis's title where that is a mere number."""
    label = _label(paper, axis, level)
    bare = label.replace(".", "", 1).isdecimal()
    return f"{title_of(paper, axis)}: {label}" if axis and bare else label


def _ladder(runs: list[Observation]) -> tuple[float, ...]:
    """Of the first run's film."""
    if not runs:
        return ()
    return tuple(runs[0].row.document()["experiment"]["content"]["bitrates_bps"])
