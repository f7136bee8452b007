"""`weir report`: tables and figures over campaigns, a paper's findings judged."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from weir_engine import rows
from weir_engine.errors import BadInput
from weir_engine.store import Store

from weir_orchestrator.cli.common import (
    DEFAULT_STORE,
    JsonOption,
    StoreOption,
    load,
    notes,
    output,
    print_json,
)
from weir_orchestrator.cli.remote.connect import ServerOption, TeamOption
from weir_orchestrator.cli.remote.results import report_of

if TYPE_CHECKING:
    from weir.spec.paper import Paper
    from weir_engine.campaign_record import CampaignRecord

__all__ = ["report"]


def report(
    campaigns: Annotated[
        list[str],
        typer.Argument(metavar="CAMPAIGN...", help="Campaign files, or names in the store."),
    ],
    html: Annotated[
        Path | None, typer.Option("--html", help="HTML file to write; default: in the store.")
    ] = None,
    metric: Annotated[
        list[str] | None, typer.Option("--metric", help="Only this metric. Repeatable.")
    ] = None,
    paper: Annotated[
        Path | None, typer.Option("--paper", help="Paper's file, instead of the campaign's own.")
    ] = None,
    ratings: Annotated[
        Path | None,
        typer.Option(
            "--ratings",
            help="CSV file of people's scores, 1 to 5: person,recording,item,score; a recording "
            "is a run's key.",
        ),
    ] = None,
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    team: TeamOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print means with 95 % intervals per combination of levels, and write the HTML report.

    A paper's findings and figures are over all the campaigns named. With --server: of one campaign
    there, and HTML only where --html says so.
    """
    from weir.metrics import CATALOG  # noqa: PLC0415 - heavy
    from weir_engine.report import ratings as opinion_scores  # noqa: PLC0415
    from weir_engine.report import terminal  # noqa: PLC0415
    from weir_engine.report.build import build  # noqa: PLC0415
    from weir_engine.report.paper import study, wording  # noqa: PLC0415

    for name in metric or []:
        if name not in CATALOG:
            raise BadInput(f"--metric: {name} — allowed: {', '.join(sorted(CATALOG))}")
    if html is not None and not html.parent.is_dir():
        raise BadInput(f"--html: {html} — there is no folder {html.parent}")
    if server and ratings is not None:
        raise BadInput("--ratings: with --server — allowed: without\n    Fetch the runs first.")
    scores = None if ratings is None else opinion_scores.read(ratings)
    if server:
        report_of(campaigns, server, team, metric, html, as_json)
        return
    folder = Store(store)
    records, beside = _asked(campaigns, paper, folder)
    found = [(record, rows.read(folder, record)) for record in records]
    reports = [build(record, its_rows, metric, beside) for record, its_rows in found]
    if scores is not None:
        opinion_scores.join(scores, reports)
    studied = study(beside, found) if beside else None
    if as_json:
        judged = studied.judged if studied else []
        print_json(
            {
                "campaigns": [terminal.as_json(built) for built in reports],
                "findings": [wording.as_json(one) for one in judged],
            }
        )
    else:
        for built in reports:
            output.print(terminal.fitting(built, built.metrics, output))
            if built.opinions:
                output.print()
                output.print(terminal.opinions(built))
            _say_states(built.states)
        if studied and studied.judged:
            output.print()
            output.print(terminal.findings(studied))
    if html is None and as_json:
        return
    from weir_engine.report import html as page  # noqa: PLC0415 - imports matplotlib

    # One of several campaigns is no place for what is about all of them.
    own = folder.campaign_path(records[0]["name"]).with_name("report.html")
    target = html or (own if len(records) == 1 else folder.root / "report.html")
    target.write_text(page.render(reports, studied), encoding="utf-8")
    notes.print(f"report: {target}", markup=False)


def _asked(
    campaigns: list[str], paper: Path | None, store: Store
) -> tuple[list[CampaignRecord], Paper | None]:
    """The campaigns' records and the paper beside them: --paper, else a file's, else a record's."""
    from weir.spec.paper_load import load_paper  # noqa: PLC0415 - slow to import

    records, papers = [], []
    for asked in dict.fromkeys(campaigns):
        if Path(asked).is_file():
            campaign = load(Path(asked))
            records.append(store.read_campaign(campaign.name))
            papers += [load_paper(campaign.paper_path)] if campaign.paper_path else []
        else:
            records.append(store.read_campaign(asked))
            papers += [_of_record(records[-1])] if records[-1].get("paper") and not paper else []
    if paper is not None:
        return records, load_paper(paper)
    cited = {one.citation for one in papers}
    if len(cited) > 1:
        raise BadInput(
            f"CAMPAIGN: they name {len(cited)} papers ({'; '.join(sorted(cited))})\n"
            "    Report on each paper's campaigns apart, or name one with --paper."
        )
    return records, papers[0] if papers else None


def _of_record(record: CampaignRecord) -> Paper:
    from pydantic import ValidationError  # noqa: PLC0415
    from weir.spec.paper import Paper  # noqa: PLC0415 - slow to import

    try:
        return Paper.model_validate(record["paper"])
    except ValidationError:
        raise BadInput(
            f"CAMPAIGN: {record['name']} — its record has a paper in the form of another version\n"
            "    Give the campaign's file instead of its name, or name the paper with --paper."
        ) from None


def _say_states(states: dict[str, int]) -> None:
    bad = [f"{count} {state}" for state, count in states.items() if state not in {"succeeded"}]
    if bad:
        output.print(f"not averaged: {', '.join(bad)} (see `weir status`)", markup=False)
