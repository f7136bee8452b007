"""What a figure shows of one run: its own value, its clients' or its segments'."""

from __future__ import annotations

from weir.metrics.per_segment import SEGMENT_VALUES
from weir.spec.paper_figures import Figure

from weir_engine.report.paper.pool import Observation, Pool

__all__ = ["values_of"]


def values_of(pool: Pool, figure: Figure, metric: str, run: Observation) -> list[float]:
    """In the metric's unit; what is undefined is left out."""
    if figure.each == "segment":
        of, clients = SEGMENT_VALUES[metric].of, run.metrics["clients"]
        tables = (run.row.player(int(each["client"])) for each in clients)
        return [value for table in tables for value in of(table).tolist()]
    ranks = [None]
    if figure.each == "client":
        ranks = [each["rank"] for each in run.metrics["clients"]]
    values = (pool.value(run, metric, rank) for rank in ranks)
    return [value for value in values if value is not None]
