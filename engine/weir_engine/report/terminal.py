"""The report as a table on the terminal, and as JSON."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text
from weir.metrics import CATALOG
from weir.stats import Summary

from weir_engine.levels import short, text
from weir_engine.report.build import Combination, Report
from weir_engine.report.numbers import scale_of
from weir_engine.report.paper import Study
from weir_engine.report.paper.parts import NOT_MEASURED
from weir_engine.report.paper.wording import summary, worded

__all__ = ["as_json", "findings", "fitting", "opinions", "table"]

_ROOM = 10_000


def fitting(report: Report, metrics: list[str], console: Console) -> Table:
    """The table with as many of the metrics, from the first on, as fit the console."""
    width = console.width
    for count in range(len(metrics), 1, -1):
        made = table(report, metrics[:count])
        # Asked with room to spare: a table never measures wider than its room.
        if console.measure(made, options=console.options.update(width=_ROOM)).maximum <= width:
            return made
    return table(report, metrics[:1])


def table(report: Report, metrics: list[str]) -> Table:
    """A row per combination and client; means ± half the 95 % interval, `+`: more needed."""
    shown = [name for name in metrics if any(key[1] == name for key in report.means)]
    scales = {name: scale_of(report, name) for name in shown}
    made = Table(box=None, pad_edge=False, header_style="bold")
    for path in report.factors:
        made.add_column(short(path))
    ranks = _ranks(report, shown)
    if len(ranks) > 1:
        made.add_column("client", justify="right")
    for name in shown:
        made.add_column(Text(_heading(name, scales[name].unit)), justify="right", no_wrap=True)
    made.add_column("n", justify="right")
    for index, combination in enumerate(report.combinations):
        for position, rank in enumerate(_own(report, index, shown, ranks)):
            cells = [report.means.get((index, name, _scope(name, rank))) for name in shown]
            texts = [
                ""
                if position and CATALOG[name].scope == "run"
                else "-"
                if cell is None
                else scales[name].cell(cell) + ("+" if cell.more_needed else " ")
                for name, cell in zip(shown, cells, strict=True)
            ]
            levels = [text(level) if not position else "" for level in combination.levels.values()]
            n = _counted(combination) if not position else ""
            client = [str(rank)] if len(ranks) > 1 else []
            made.add_row(*levels, *client, *texts, n)
    return made


def _ranks(report: Report, shown: list[str]) -> list[int]:
    """Of clients, where a metric shown is a client's; else one row is enough."""
    found = {rank for _, name, rank in report.means if name in shown and rank is not None}
    return sorted(found) or [1]


def _own(report: Report, index: int, shown: list[str], ranks: list[int]) -> list[int]:
    """Those of a combination: it may have fewer clients than another."""
    own = [rank for rank in ranks if any((index, name, rank) in report.means for name in shown)]
    return own or ranks[:1]


def _counted(combination: Combination) -> str:
    """`3/3`; `3/3 alike` where no run differs from the others, so that nothing can be said of how
    runs vary; `3/3, 2 distinct` where some do."""
    good, different = len(combination.rows), combination.distinct
    beside = "" if different == good else " alike" if different == 1 else f", {different} distinct"
    return f"{good}/{combination.asked}{beside}"


def findings(study: Study) -> Table:
    """Each finding with its verdict, and under it what was compared and found."""
    made = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("finding", "where", "expected", "found: mean of pairs, difference [95 %]"):
        made.add_column(name, overflow="fold")
    made.add_column("n", justify="right")
    made.add_column("verdict", no_wrap=True)
    for number, judged in enumerate(study.judged, 1):
        made.add_section()
        made.add_row(Text(f"{number}. {judged.finding.statement}", "bold"))
        made.add_row(Text(summary(judged), "bold"))
        if judged.verdict == NOT_MEASURED:
            continue
        for part in (part for parts in judged.parts for part in parts):
            one = worded(study.paper, part, study.pool.level_unit)
            made.add_row(one.metric, one.where, one.expected, one.found, one.n, one.verdict)
    return made


def opinions(report: Report) -> Table:
    """A row per combination that people scored: mean opinion scores, and how many people."""
    made = Table(box=None, pad_edge=False, header_style="bold")
    for path in report.factors:
        made.add_column(short(path))
    for item in report.items:
        made.add_column(Text(f"{item}\n[MOS]"), justify="right", no_wrap=True)
    made.add_column("people", justify="right")
    for index, scores in report.opinions.items():
        levels = [text(level) for level in report.combinations[index].levels.values()]
        cells = [opinion(scores[item]) if item in scores else "-" for item in report.items]
        people = sorted({each.n for each in scores.values()})
        counted = " to ".join(str(n) for n in dict.fromkeys((people[0], people[-1])))
        made.add_row(*levels, *cells, counted)
    return made


def opinion(scores: Summary) -> str:
    """`3.50 ± 0.42`, or the mean alone of one person's."""
    if scores.n < 2:
        return f"{scores.mean:.2f}"
    return f"{scores.mean:.2f} ± {(scores.ci_high - scores.ci_low) / 2:.2f}"


def as_json(report: Report) -> dict[str, Any]:
    """All numbers of a report, in the metrics' own units."""
    return {
        "campaign": report.name,
        "factors": report.factors,
        "states": dict(report.states),
        "groups": [
            {
                "levels": report.combinations[index].levels,
                "metric": metric,
                "client": rank,
                "unit": report.unit(metric),
                "n": cell.n,
                "distinct": cell.distinct,
                "mean": cell.mean,
                "ci95": list(cell.ci) if cell.ci else None,
                "more_replicates_needed": cell.more_needed,
                "paper": cell.paper,
            }
            for (index, metric, rank), cell in report.means.items()
        ],
        "opinions": [
            {
                "levels": report.combinations[index].levels,
                "item": item,
                "people": scores.n,
                **{name: value for name, value in scores.as_json().items() if name != "n"},
            }
            for index, each in report.opinions.items()
            for item, scores in each.items()
        ],
        "troubles": [
            {"key": row.key, "levels": row.levels, "state": row.state, "reason": row.reason}
            for row in report.troubles
        ],
    }


def _heading(metric: str, unit: str) -> str:
    name = metric.removesuffix("_percent").removesuffix("_bps").removesuffix("_s")
    return "\n".join([*name.split("_"), *([f"[{unit}]"] if unit else [])])


def _scope(metric: str, rank: int) -> int | None:
    return rank if CATALOG[metric].scope == "client" else None
