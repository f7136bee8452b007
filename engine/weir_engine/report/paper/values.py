"""What a figure shows of runs: values of theirs, of their clients or segments, or quotients."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from weir.metrics.per_segment import SEGMENT_VALUES
from weir.spec.paper_figures import Figure

from weir_engine.report.paper.pool import Observation, Pool
from weir_engine.report.paper.quotients import Quotients

__all__ = ["Values", "values"]

Values = Callable[[list[Observation]], list[float]]
"""Of some of a figure's runs."""


def values(pool: Pool, figure: Figure, metric: str, runs: list[Observation]) -> Values:
    """How to get a metric's values. runs: of the whole figure.

    In the metric's unit, quotients in none; what is undefined is left out.
    """
    if figure.quotient:
        than = figure.quotient.than
        held = {axis: levels for axis, levels in figure.where.items() if axis not in than}
        return Quotients(pool, pool.select(held), metric, figure.quotient).of
    return lambda some: [value for run in some for value in _of_run(pool, figure, metric, run)]


def _of_run(pool: Pool, figure: Figure, metric: str, run: Observation) -> Iterable[float]:
    if figure.each == "segment":
        of, clients = SEGMENT_VALUES[metric].of, run.metrics["clients"]
        tables = (run.row.player(int(each["client"])) for each in clients)
        return [value for table in tables for value in of(table).tolist()]
    ranks = [None]
    if figure.each == "client":
        ranks = [each["rank"] for each in run.metrics["clients"]]
    found = (pool.value(run, metric, rank) for rank in ranks)
    return [value for value in found if value is not None]
