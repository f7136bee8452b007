"""All that a report says of a paper: its findings judged, its figures' numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from weir.spec import Paper

from weir_engine.campaign_record import DescribedCampaign
from weir_engine.report.paper.findings import Judged, judge
from weir_engine.report.paper.panels import Grid, grid
from weir_engine.report.paper.pool import Pool, pool
from weir_engine.row import Row

__all__ = ["Study", "study"]


@dataclass(frozen=True)
class Study:
    """figures: those of the paper that some run has numbers for."""

    paper: Paper
    pool: Pool
    judged: list[Judged]
    figures: list[Grid]


def study(paper: Paper, campaigns: Sequence[tuple[DescribedCampaign, list[Row]]]) -> Study:
    """campaigns: record and rows of each."""
    pooled = pool(paper, campaigns)
    figures = [grid(pooled, figure) for figure in paper.figures]
    return Study(paper, pooled, judge(pooled), [each for each in figures if not each.empty])
