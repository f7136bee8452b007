"""/campaigns/{campaign}/report, report.html and regressions."""

from __future__ import annotations

import uuid
from typing import Annotated, Final

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse

from weir_orchestrator.api.dependencies import AsksAs, Objects, SessionOf
from weir_orchestrator.api.ids import CampaignId
from weir_orchestrator.api.problems import documented
from weir_orchestrator.api.reports import service
from weir_orchestrator.api.reports.regressions import regressions
from weir_orchestrator.api.reports.schemas import Regressions, ReportOut
from weir_orchestrator.api.runs.endpoints import REFUSALS
from weir_orchestrator.api.runs.levels import IN_OPENAPI, LevelsAsked
from weir_orchestrator.api.runs.service import campaign_of
from weir_orchestrator.errors import Conflict, Unavailable

__all__ = ["router"]

router = APIRouter(tags=["reports"])

Metrics = Annotated[
    list[str] | None, Query(max_length=50, description="Only these metrics; default: the usual.")
]
_ANSWERS: Final = documented(*REFUSALS, Conflict, Unavailable)
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"


@router.get("/campaigns/{campaign}/report", responses=_ANSWERS, openapi_extra=IN_OPENAPI)
def show_report(
    session: SessionOf,
    objects: Objects,
    who: AsksAs,
    campaign: CampaignId,
    levels: LevelsAsked,
    metric: Metrics = None,
) -> ReportOut:
    """Means with intervals per combination of levels, beside a paper's own numbers."""
    found = campaign_of(session, who, campaign)
    return service.report(session, objects, found, levels, metric)


@router.get(
    "/campaigns/{campaign}/report.html",
    response_class=HTMLResponse,
    responses=_ANSWERS,
    openapi_extra=IN_OPENAPI,
)
def show_report_page(
    session: SessionOf,
    objects: Objects,
    who: AsksAs,
    campaign: CampaignId,
    levels: LevelsAsked,
    metric: Metrics = None,
) -> HTMLResponse:
    """The same as one HTML file with figures, to be kept or sent on."""
    found = campaign_of(session, who, campaign)
    made = service.page(session, objects, found, levels, metric)
    return HTMLResponse(made, headers={"Content-Security-Policy": _POLICY})


Effects = Annotated[
    list[str] | None,
    Query(
        max_length=100,
        description="From which difference on a metric matters, in its unit or in percent of the "
        "baseline's value; for others the defaults hold (docs: regressions).",
        examples=["stall_mean_s=0.5", "jain=3%"],
    ),
]


@router.get("/campaigns/{campaign}/regressions", responses=_ANSWERS)
def judge_campaign(
    session: SessionOf,
    who: AsksAs,
    campaign: CampaignId,
    baseline: Annotated[uuid.UUID, Query(description="The campaign to compare with.")],
    effect: Effects = None,
) -> Regressions:
    """Every metric of every combination against a baseline's: same, better, worse?"""
    found, before = (campaign_of(session, who, each) for each in (campaign, baseline))
    return regressions(session, before, found, effect or [])
