"""What a paper calls its metrics and axes."""

from __future__ import annotations

from weir.metrics import CATALOG
from weir.spec import Paper

__all__ = ["metric_of", "title_of"]


def metric_of(paper: Paper, name: str) -> tuple[str, str]:
    """Title and unit of a metric of the catalogue or of the paper."""
    if name in paper.metrics:
        return paper.metrics[name].title, "%"
    return CATALOG[name].title, CATALOG[name].unit


def title_of(paper: Paper, axis: str) -> str:
    """An axis's title, by default its name."""
    return paper.axes[axis].title or axis
