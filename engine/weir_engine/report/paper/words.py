"""What a paper calls its metrics and axes."""

from __future__ import annotations

from collections.abc import Mapping

from weir.metrics import CATALOG
from weir.metrics.over_time import TIME_VALUES
from weir.metrics.per_segment import SEGMENT_VALUES
from weir.metrics.searched import LEVEL
from weir.spec.paper import Paper
from weir.spec.paper_figures import Figure, Quotient

__all__ = ["levels_named", "measured_of", "metric_of", "title_of", "value_of"]


def metric_of(paper: Paper, name: str, level_unit: str = "") -> tuple[str, str]:
    """Title and unit of a metric of the catalogue or of the paper; level_unit: of a level found."""
    if name in paper.metrics:
        return paper.metrics[name].title, "%"
    return CATALOG[name].title, level_unit if name == LEVEL else CATALOG[name].unit


def value_of(paper: Paper, figure: Figure, metric: str, level_unit: str = "") -> tuple[str, str]:
    """Title and unit of one of a figure's metrics."""
    if figure.kind == "time":
        shown = TIME_VALUES[metric]
        return shown.title, shown.unit
    if figure.quotient:
        return _quotient(paper, figure.quotient, metric_of(paper, metric)[0]), ""
    if figure.each != "segment":
        return metric_of(paper, metric, level_unit)
    value = SEGMENT_VALUES[metric]
    return value.title, value.unit


def _quotient(paper: Paper, quotient: Quotient, title: str) -> str:
    than = levels_named(paper, quotient.than)
    if quotient.bound is None:
        return f"{title}, relative to {than}"
    return f"{title}: share of the way from {than} to {metric_of(paper, quotient.bound)[0]}"


def levels_named(paper: Paper, selection: Mapping[str, list[str]]) -> str:
    """`drop-tail, 6 BDP`: labels of the levels, `+` between levels of one axis."""
    return ", ".join(
        " + ".join(paper.axes[axis].levels[level] for level in levels)
        for axis, levels in selection.items()
    )


def measured_of(
    paper: Paper, figure: Figure, metrics: list[str], level_unit: str = ""
) -> tuple[str, str]:
    """Title and unit of the values of a row of panels."""
    if figure.kind == "transfer":
        return "Sequence number since the pause", "kB"
    if figure.kind == "window":
        return "Congestion window", "segments"
    if figure.kind in {"stacked", "shares"}:
        return "Share", "%"
    told = (value_of(paper, figure, metric, level_unit) for metric in metrics)
    titles, units = zip(*told, strict=True)
    return ", ".join(titles), units[0]


def title_of(paper: Paper, axis: str) -> str:
    """An axis's title, by default its name."""
    return paper.axes[axis].title or axis
