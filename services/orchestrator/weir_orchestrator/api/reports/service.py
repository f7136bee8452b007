"""Reports, made when they are asked for."""

from __future__ import annotations

import tempfile
import threading
from pathlib import Path
from typing import Final

from pydantic import ValidationError
from sqlalchemy.orm import Session
from weir.spec.paper import Paper
from weir_engine.campaign_record import DescribedCampaign
from weir_engine.report import terminal
from weir_engine.report.build import build
from weir_engine.report.paper import study, wording
from weir_engine.row import Row

from weir_orchestrator.api.reports.schemas import ReportOut
from weir_orchestrator.api.runs.levels import Numbered, combinations
from weir_orchestrator.api.runs.metrics import require_metric
from weir_orchestrator.db import Campaign
from weir_orchestrator.errors import Conflict, FieldProblem, Unprocessable
from weir_orchestrator.objects import ObjectStore
from weir_orchestrator.recorded.rows import rows_with_files
from weir_orchestrator.recorded.search import search_of

__all__ = ["page", "report"]

# Matplotlib is not safe in several threads.
_DRAWING: Final = threading.Lock()


def report(
    session: Session,
    objects: ObjectStore,
    campaign: Campaign,
    asked: dict[str, frozenset[str]],
    metrics: list[str] | None,
) -> ReportOut:
    """Raises Conflict, Unprocessable."""
    for name in metrics or []:
        require_metric(name)
    paper, record = _paper(campaign), _record(campaign)
    levels = _levels(session, campaign, asked)
    rows = rows_with_files(session, objects, campaign, levels, Path())
    judged = study(paper, [(record, rows)]).judged if paper else []
    findings = [wording.as_json(one) for one in judged]
    told = terminal.as_json(build(record, rows, metrics, paper))
    return ReportOut.model_validate({**told, "findings": findings})


def page(
    session: Session,
    objects: ObjectStore,
    campaign: Campaign,
    asked: dict[str, frozenset[str]],
    metrics: list[str] | None,
) -> str:
    """The report as one HTML file. Raises Conflict, Unprocessable."""
    from weir_engine.report import html  # noqa: PLC0415 - imports matplotlib

    for name in metrics or []:
        require_metric(name)
    paper, record = _paper(campaign), _record(campaign)
    levels = _levels(session, campaign, asked)
    with tempfile.TemporaryDirectory(prefix="weir-report-") as scratch:
        rows: list[Row] = rows_with_files(session, objects, campaign, levels, Path(scratch))
        studied = study(paper, [(record, rows)]) if paper else None
        with _DRAWING:
            return html.render([build(record, rows, metrics, paper)], studied)


def _levels(session: Session, campaign: Campaign, asked: dict[str, frozenset[str]]) -> Numbered:
    searched = _searched(campaign)
    if searched in asked:
        problem = FieldProblem(
            path=f"level.{searched}",
            value=", ".join(sorted(asked[searched])),
            allowed="a level of another factor: this one is searched, and the report is of what "
            "the search found",
            remedy="leave it out, or choose runs by it with /campaigns/ID/runs or table.csv",
        )
        raise Unprocessable("1 problem", [problem])
    return combinations(session, campaign, asked)


def _searched(campaign: Campaign) -> str:
    """The factor that is searched; empty: none is."""
    search = search_of(campaign)
    return search.factor if search else ""


def _record(campaign: Campaign) -> DescribedCampaign:
    return {
        "name": campaign.name,
        "description": campaign.description,
        "spec": campaign.spec,
        "factors": [path for path in campaign.factors if path != _searched(campaign)],
        "paper": campaign.paper,
    }


def _paper(campaign: Campaign) -> Paper | None:
    if campaign.paper is None:
        return None
    try:
        return Paper.model_validate(campaign.paper)
    except ValidationError:
        raise Conflict(
            "the paper kept with this campaign is in the form of another version; clone the "
            "campaign: its paper is then read anew, and finished runs are not run again"
        ) from None
