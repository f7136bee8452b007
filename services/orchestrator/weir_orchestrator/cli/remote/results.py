"""`weir status`, `report` and `show` of what a server has."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rich.table import Table
from rich.text import Text
from weir_engine.errors import BadInput
from weir_engine.levels import short, text
from weir_engine.states import TROUBLES

from weir_orchestrator.cli.common import level_text, notes, output, print_json, searched_text
from weir_orchestrator.cli.remote.connect import connected, find_campaign
from weir_orchestrator.cli.remote.watch import counted

if TYPE_CHECKING:
    from weir_sdk import models

__all__ = ["documents_of_run", "report_of", "status_of"]

_BAD: Final = (*TROUBLES, "running")


def status_of(
    campaign: str, server: str | None, team: str | None, most: int | None, as_json: bool
) -> None:
    """Counts of a campaign, and `most` runs that are not good; None: every run."""
    with connected(server, team) as to:
        found = find_campaign(to, campaign)
        searches = found.has_search
        listed = to.client.list_runs(found.id, state=None if most is None or as_json else _BAD)
        if as_json:
            runs = [run.model_dump(mode="json") for run in listed]
            shown = {**found.model_dump(mode="json"), "runs": runs}
            if searches:
                shown["search"] = to.client.show_search(found.id).model_dump(mode="json")
            print_json(shown)
            return
        runs_shown = list(islice(listed, None if most is None else most + 1))
        search = to.client.show_search(found.id) if searches else None
    output.print(
        f"{found.name}: {found.state}, {found.run_count} runs — {counted(found.counts)}",
        markup=False,
    )
    if search:
        _tell_search(search)
    for run in runs_shown[:most]:
        where = f"{level_text(run.levels)} replicate {run.replicate + 1}".strip()
        told = f": {run.reason}" if run.reason else ""
        output.print(f"  {run.id} {run.key[:12]} {run.state:<9} {where}{told}", markup=False)
    if most is not None and len(runs_shown) > most:
        output.print("  ... and more (--all lists them)", markup=False)


def report_of(
    campaigns: list[str],
    server: str | None,
    team: str | None,
    metric: list[str] | None,
    html: Path | None,
    as_json: bool,
) -> None:
    """Means with intervals, and the HTML page into a file where one is named."""
    if len(campaigns) > 1:
        raise BadInput("CAMPAIGN: a server reports on one at a time; `weir fetch` several")
    with connected(server, team) as to:
        found = find_campaign(to, campaigns[0])
        report = to.client.show_report(found.id, metric)
        page = to.client.show_report_page(found.id, metric) if html else ""
        search = to.client.show_search(found.id) if found.has_search else None
    if as_json:
        print_json(report.model_dump(mode="json"))
    else:
        if search:
            _tell_search(search)
        output.print(_table(report))
        bad = {state: n for state, n in report.states.items() if state != "succeeded"}
        if bad:
            output.print(f"not averaged: {counted(bad)} (see `weir status`)", markup=False)
        if report.findings:
            notes.print("a paper's findings are judged on the page: --html FILE", markup=False)
    if html:
        html.write_text(page, encoding="utf-8")
        notes.print(f"report: {html}", markup=False)


def _tell_search(search: models.SearchOut) -> None:
    """A line for each subject: the level found, or between which levels it is looked for."""
    output.print(f"{search.sentence} {search.levels_tried} levels tried.", markup=False)
    for each in search.subjects:
        found = each.level.text if each.level else f"none; {each.reason}"
        if each.state == "searching":
            found = "not known yet"
            if each.fails_at and each.passes_at:
                found += f"; {each.fails_at.text} fails, {each.passes_at.text} passes"
        told = searched_text(
            each.levels,
            each.replicate,
            f"{search.find} {search.factor}",
            found,
            [beyond.text for beyond in each.exceptions],
        )
        output.print(f"  {told}", markup=False)
    if search.subject_count > len(search.subjects):
        output.print("  ... and more")


def documents_of_run(
    run: str, server: str | None, team: str | None, names: tuple[str, ...]
) -> tuple[str, dict[str, Any]]:
    """Where a run is, and its JSON files by name; None for one that it has not."""
    if not run.isdecimal():
        raise BadInput(f"RUN: {run} — allowed: a run's number, as `weir status --server` tells")
    with connected(server, team) as to:
        there = {each.name for each in to.client.list_artifacts(int(run))}
        documents = {
            name: json.loads(to.client.fetch_artifact(int(run), f"{name}.json"))
            if f"{name}.json" in there
            else None
            for name in names
        }
        return f"run {run} at {to.url}", documents


def _table(report: models.ReportOut) -> Table:
    """A row per combination, metric and client."""
    from weir_engine.report.numbers import scale_for  # noqa: PLC0415 - heavy

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in (*map(short, report.factors), "metric"):
        table.add_column(name)
    for name in ("client", "mean", "95 %", "unit", "n"):
        table.add_column(name, justify="right")
    for group in report.groups:
        scale = scale_for(group.unit, abs(group.mean))
        interval = "-"
        if group.ci95:
            interval = " to ".join(scale.number(end) for end in group.ci95)
        mean = scale.number(group.mean) + ("+" if group.more_replicates_needed else "")
        levels = [text(group.levels[factor]) for factor in report.factors]
        client = "" if group.client is None else str(group.client)
        cells = (*levels, group.metric, client, mean, interval, scale.unit, str(group.n))
        table.add_row(*map(Text, cells))
    return table
