"""The course of one run that a figure over time shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from weir.metrics.link import Floats
from weir.metrics.over_time import TIME_VALUES

from weir_engine.report.paper.pool import Observation
from weir_engine.report.thin import thin

__all__ = ["MOST_CLIENTS", "Course", "course"]

MOST_CLIENTS: Final = 8
"""More curves could not be told apart."""


@dataclass(frozen=True)
class Course:
    """A curve: of a client (from 1), of the n-th of the figure's metrics.

    t_s: since the experiment began. steps: a value holds until the next.
    """

    client: int
    metric: int
    t_s: Floats
    values: Floats
    steps: bool


def course(runs: list[Observation], metrics: list[str]) -> list[Course]:
    """Of the first clients of the run with the smallest seed."""
    if not runs:
        return []
    data = min(runs, key=lambda run: run.seed).row.records()
    return [
        Course(client, number, *thin(*curve), TIME_VALUES[metric].steps)
        for client in range(1, min(len(data.players), MOST_CLIENTS) + 1)
        for number, metric in enumerate(metrics)
        for curve in TIME_VALUES[metric].of(data, client)
        if len(curve[0])
    ]
