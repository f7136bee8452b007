"""The HTML report: one file, no links to the outside, readable on a phone and in the dark."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Any

import jinja2
from markupsafe import Markup
from weir.metrics import CATALOG

from weir_engine.levels import short, text
from weir_engine.report import ordering
from weir_engine.report.bars import bars
from weir_engine.report.build import Combination, Mean, Report
from weir_engine.report.nearest import nearest
from weir_engine.report.numbers import Scale, scale_of
from weir_engine.report.paper import Study
from weir_engine.report.paper.draw import draw
from weir_engine.report.paper.findings import Judged
from weir_engine.report.paper.parts import Part
from weir_engine.report.paper.wording import Worded, summary, worded
from weir_engine.report.terminal import opinion
from weir_engine.report.timeline import timeline

__all__ = ["render"]

_PICTURED_CLIENTS = 4
_PICTURED_COMBINATIONS = 48
_CHARTED_CELLS, _CHARTED_ROWS = 120, 24
"""More bars than this make no picture, nor does a legend of more; the table says it all."""
_MARKS = {
    **{"agrees": "✓", "opposite": "✗", "not distinguishable": "≈"},
    **{"supported": "✓", "contradicted": "✗", "inconclusive": "≈", "not measured": "·"},
}


@dataclass(frozen=True)
class Pivot:
    """A metric over two factors, for one client rank or the run."""

    title: str
    rows: list[str]
    columns: list[str]
    cells: list[list[Mean | None]]
    scale: Scale
    chart: Markup
    corner: str


def render(reports: list[Report], study: Study | None = None) -> str:
    """The whole page: the paper's findings and figures, then each campaign."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("weir_engine.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    return environment.get_template("report.html.j2").render(
        reports=[_Shown(report) for report in reports],
        study=study,
        findings=_findings(study) if study else [],
        figures=[(grid, Markup(draw(grid))) for grid in study.figures()] if study else [],
        provenance=_provenance(reports),
        level_text=text,
        opinion=opinion,
        short=short,
        marks=_MARKS,
    )


class _Shown:
    """A campaign's report with what the page makes of it."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.metrics = [(CATALOG[name], pivots(report, name)) for name in report.metrics]
        self.agreements = _agreements(report)
        every = -(-len(report.combinations) // _PICTURED_COMBINATIONS)
        chosen = report.combinations[:: max(every, 1)]
        self.pictures = [_pictured(report, each) for each in chosen]


def _findings(study: Study) -> list[tuple[Judged, str, list[Worded]]]:
    def told(part: Part) -> Worded:
        return worded(study.paper, part, study.pool.level_unit)

    return [
        (judged, summary(judged), [told(part) for parts in judged.parts for part in parts])
        for judged in study.judged
    ]


def pivots(report: Report, metric: str) -> list[Pivot]:
    """A pivot per client rank (or one of the run); none where the metric has no numbers."""
    scale = scale_of(report, metric)
    across = _across(report)
    columns = report.level_names(across) if across else ["mean"]
    found = []
    for rank in report.scopes(metric):
        lines: dict[str, dict[str, Mean]] = {}
        for index, combination in enumerate(report.combinations):
            cell = report.means.get((index, metric, rank))
            if cell is not None:
                row, column = _place(combination, across)
                lines.setdefault(row, {})[column] = cell
        if not lines:
            continue
        rows = list(lines)
        cells = [[lines[row].get(column) for column in columns] for row in rows]
        info = CATALOG[metric]
        title = f"{info.title}{_who(report, rank)}"
        many = len(rows) > _CHARTED_ROWS or len(rows) * len(columns) > _CHARTED_CELLS
        chart = Markup("" if many else bars(title, rows, columns, cells, scale))
        corner = _rows_name(report, across)
        found.append(Pivot(title, rows, columns, cells, scale, chart, corner))
    return found


def _across(report: Report) -> str | None:
    """The factor that goes across: the paper's columns, else the last; None for one factor."""
    if report.table and len(report.table.factors) > 1 and report.table.factors[1] in report.factors:
        return report.table.factors[1]
    return report.factors[-1] if len(report.factors) > 1 else None


def _place(combination: Combination, across: str | None) -> tuple[str, str]:
    down = [text(level) for path, level in combination.levels.items() if path != across]
    column = text(combination.levels[across]) if across else "mean"
    return " · ".join(down) or "all", column


def _rows_name(report: Report, across: str | None) -> str:
    return " · ".join(short(path) for path in report.factors if path != across)


def _agreements(report: Report) -> dict[str, Any]:
    """columns: [(factor, level of the others)]; rows: [(title, [group or None per column])]."""
    found = ordering.groups(report)
    columns = list(dict.fromkeys((group.factor, group.fixed) for group in found))
    rows: dict[tuple[str, int | None], dict[tuple[str, str], ordering.Group]] = {}
    for group in found:
        line = rows.setdefault((group.metric, group.client), {})
        line[group.factor, group.fixed] = group
    heads = [(short(factor), list(names)) for factor, names in groupby(columns, lambda c: c[0])]
    return {
        "heads": heads,
        "rows": [
            (
                f"{CATALOG[metric].title}{_who(report, client)}",
                [line.get(column) for column in columns],
            )
            for (metric, client), line in rows.items()
        ],
    }


def _who(report: Report, rank: int | None) -> str:
    return f", client {rank}" if rank is not None and len(report.ranks) > 1 else ""


def _pictured(report: Report, combination: Combination) -> dict[str, Any]:
    title = ", ".join(f"{short(path)} {text(v)}" for path, v in combination.levels.items())
    row = nearest(report, combination)
    if row is None:
        return {"title": title or report.name, "row": None, "charts": []}
    data = row.records()
    assert row.metrics is not None
    by_rank = sorted(row.metrics["clients"], key=lambda entry: int(entry["rank"]))
    charts = [
        (
            int(entry["rank"]),
            Markup(timeline(data, row.metrics, int(entry["client"]), title)),
        )
        for entry in by_rank[:_PICTURED_CLIENTS]
    ]
    return {"title": title or report.name, "row": row, "charts": charts}


def _provenance(reports: list[Report]) -> list[tuple[str, str]]:
    """Kernel and versions of the runs shown; more than one kind is said so."""
    kinds: dict[str, set[str]] = {}
    shown = [row for report in reports for each in report.combinations for row in each.rows[:1]]
    for row in shown:
        run = row.document()
        kernel = f"{run['kernel']['release']} ({run['kernel']['hash'][:12]})"
        kinds.setdefault("lab kernel", set()).add(kernel)
        for name, version in run["roles"].items():
            kinds.setdefault("roles" if name == "hash" else name, set()).add(version[:40])
    return [(name, ", ".join(sorted(values))) for name, values in kinds.items()]
