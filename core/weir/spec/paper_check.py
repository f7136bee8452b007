"""Names in a paper's file that name nothing: metrics, axes, levels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from weir.errors import Problem
from weir.spec.names import nearest
from weir.spec.paper import Paper
from weir.spec.paper_model import Selection

__all__ = ["unknown_names"]


def unknown_names(paper: Paper) -> Iterator[Problem]:
    """A problem per name that is neither in the catalogue of metrics nor among the paper's axes."""
    from weir.metrics import CATALOG  # noqa: PLC0415 - heavy
    from weir.metrics.over_time import TIME_VALUES  # noqa: PLC0415 - heavy
    from weir.metrics.per_segment import SEGMENT_VALUES  # noqa: PLC0415 - heavy

    yield from _metrics(paper, CATALOG, SEGMENT_VALUES, TIME_VALUES)
    for index, finding in enumerate(paper.findings):
        for number, comparison in enumerate(finding.comparisons):
            here = f"findings.{index}.comparisons.{number}"
            for part in ("of", "than", "more_for", "than_for", "where"):
                yield from _selection(paper, getattr(comparison, part), f"{here}.{part}")
            if comparison.along is not None:
                yield from _known(comparison.along, paper.axes, f"{here}.along", "axes")
            for part in ("across", "each"):
                for place, axis in enumerate(getattr(comparison, part)):
                    yield from _known(axis, paper.axes, f"{here}.{part}.{place}", "axes")
    for index, figure in enumerate(paper.figures):
        places = ("x", "series", "panels.rows", "panels.columns")
        for at, used in zip(places, figure.axes(), strict=True):
            if used is not None:
                yield from _known(used, paper.axes, f"figures.{index}.{at}", "axes")
        yield from _selection(paper, figure.where, f"figures.{index}.where")
        if figure.quotient:
            for part in ("of", "than"):
                path = f"figures.{index}.quotient.{part}"
                yield from _selection(paper, getattr(figure.quotient, part), path)


def _metrics(
    paper: Paper,
    catalog: Mapping[str, object],
    of_segments: Iterable[str],
    over_time: Iterable[str],
) -> Iterator[Problem]:
    for campaign, table in paper.campaigns.items():
        for name in table.metrics:
            yield from _known(name, catalog, f"campaigns.{campaign}.metrics.{name}", "metrics")
    for name, share in paper.metrics.items():
        for part in ("part", "of"):
            for index, base in enumerate(getattr(share, part)):
                yield from _known(base, catalog, f"metrics.{name}.{part}.{index}", "metrics")
    known = [*catalog, *paper.metrics]
    for index, finding in enumerate(paper.findings):
        for number, comparison in enumerate(finding.comparisons):
            path = f"findings.{index}.comparisons.{number}.metric"
            yield from _known(comparison.metric, known, path, "metrics")
    for index, figure in enumerate(paper.figures):
        names = over_time if figure.kind == "time" else known
        if figure.each == "segment":
            names = of_segments
        for number, name in enumerate(figure.metrics):
            yield from _known(name, names, f"figures.{index}.metrics.{number}", "metrics")
        if figure.quotient and figure.quotient.bound:
            path = f"figures.{index}.quotient.bound"
            yield from _known(figure.quotient.bound, known, path, "metrics")


def _selection(paper: Paper, selection: Selection, path: str) -> Iterator[Problem]:
    for axis, levels in selection.items():
        if axis not in paper.axes:
            yield from _known(axis, paper.axes, f"{path}.{axis}", "axes")
            continue
        for level in levels:
            yield from _known(level, paper.axes[axis].levels, f"{path}.{axis}", "levels")


def _known(name: str, known: Iterable[str], path: str, what: str) -> Iterator[Problem]:
    names = list(known)
    if name not in names:
        near = nearest(name, names)
        remedy = f"did you mean {near}?" if near else "name one of them, or add it to `axes`"
        yield Problem(path, name, f"{what}: {', '.join(names) or 'none'}", remedy)
