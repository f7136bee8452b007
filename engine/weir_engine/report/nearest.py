"""The run nearest the mean: the one to show a picture of."""

from __future__ import annotations

import numpy as np

from weir_engine.report.build import Combination, Report, value_of
from weir_engine.row import Row

__all__ = ["nearest"]


def nearest(report: Report, combination: Combination) -> Row | None:
    """The replicate nearest the mean of all, each metric measured in its standard deviations.

    Metrics that do not vary, or that some replicate lacks, say nothing and are left out. None
    where no run succeeded.
    """
    if not combination.rows:
        return None
    columns = [
        [_number(row, metric, rank) for row in combination.rows]
        for metric in report.metrics
        for rank in report.scopes(metric)
    ]
    table = np.array(columns, dtype=np.float64).reshape(len(columns), len(combination.rows))
    spread = table.std(axis=1)
    usable = np.isfinite(spread) & (spread > 0)
    if not usable.any():
        return combination.rows[0]
    kept = table[usable]
    distance = (kept - kept.mean(axis=1, keepdims=True)) / spread[usable][:, None]
    return combination.rows[int(np.argmin((distance**2).sum(axis=0)))]


def _number(row: Row, metric: str, rank: int | None) -> float:
    value = value_of(row, metric, rank)
    return float("nan") if value is None else value
