"""All that a report says of a paper: its findings judged, its figures' numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from weir.spec.paper import Paper

from weir_engine.campaign_record import DescribedCampaign
from weir_engine.report.paper.findings import Judged, judge
from weir_engine.report.paper.grid import grid
from weir_engine.report.paper.panels import Grid
from weir_engine.report.paper.pool import Pool, pool
from weir_engine.row import Row

__all__ = ["Study", "study"]


@dataclass(frozen=True)
class Study:
    """What the runs say to a paper."""

    paper: Paper
    pool: Pool
    judged: list[Judged]

    def figures(self) -> list[Grid]:
        """Those of the paper that some run has numbers for; reads records of the runs."""
        drawn = (grid(self.pool, figure) for figure in self.paper.figures)
        return [each for each in drawn if not each.empty]


def study(paper: Paper, campaigns: Sequence[tuple[DescribedCampaign, list[Row]]]) -> Study:
    """campaigns: record and rows of each."""
    pooled = pool(paper, campaigns)
    return Study(paper, pooled, judge(pooled))
