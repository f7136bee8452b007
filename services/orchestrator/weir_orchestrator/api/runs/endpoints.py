"""/campaigns/{campaign}/runs and /runs/{run}."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field
from weir_engine.states import RunState

from weir_orchestrator.api.dependencies import AsksAs, Objects, SessionOf
from weir_orchestrator.api.etag import UNCHANGED, answer
from weir_orchestrator.api.ids import CampaignId, RunId
from weir_orchestrator.api.paging import Cursor, Limit, Page
from weir_orchestrator.api.problems import documented
from weir_orchestrator.api.runs import service
from weir_orchestrator.api.runs.levels import IN_OPENAPI, LevelsAsked
from weir_orchestrator.api.runs.metrics import ClientRank
from weir_orchestrator.api.runs.queries import Only
from weir_orchestrator.api.runs.schemas import RunDetail, RunMetrics, RunOut
from weir_orchestrator.errors import NotAllowed, NotFound, NotSignedIn, Unavailable, Unprocessable

__all__ = ["router"]

router = APIRouter(tags=["runs"])

RunNumber = Annotated[int, Field(ge=1, le=2**53)]
REFUSALS = (NotSignedIn, NotAllowed, NotFound, Unprocessable)


@router.get(
    "/campaigns/{campaign}/runs",
    response_model=Page[RunOut],
    responses=documented(*REFUSALS) | UNCHANGED,
    openapi_extra=IN_OPENAPI,
)
def list_runs(
    request: Request,
    session: SessionOf,
    who: AsksAs,
    campaign: CampaignId,
    levels: LevelsAsked,
    state: Annotated[list[RunState] | None, Query(description="Any of these.")] = None,
    run: Annotated[
        list[RunNumber] | None, Query(max_length=500, description="Only these runs.")
    ] = None,
    replicate: Annotated[
        int | None,
        Query(ge=0, le=10_000_000, description="Only this one, from 0: runs of one seed."),
    ] = None,
    sort: Annotated[
        str,
        Query(
            max_length=100,
            description="position, started, wall_s or a metric; `-` before it: falling. Runs "
            "without the value come last.",
            examples=["-wall_s"],
        ),
    ] = "position",
    metric: Annotated[
        list[str] | None, Query(max_length=20, description="Metrics to show with each run.")
    ] = None,
    client: ClientRank = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    """Runs of a campaign, filtered and sorted."""
    found = service.campaign_of(session, who, campaign)
    only = Only(tuple(run or ()), replicate)
    items, following = service.page(
        session, found, state or (), levels, only, sort, metric or (), client, limit, cursor
    )
    return answer(request, Page[RunOut](items=items, next=following))


@router.get("/runs/{run}", responses=documented(*REFUSALS, Unavailable))
def show_run(session: SessionOf, objects: Objects, who: AsksAs, run: RunId) -> RunDetail:
    """All about a run: levels, state and history, what it ran on, its checks."""
    return service.detail(session, objects, *service.run_of(session, who, run))


@router.get("/runs/{run}/metrics", responses=documented(*REFUSALS))
def show_run_metrics(session: SessionOf, who: AsksAs, run: RunId) -> RunMetrics:
    """All metrics of a finished run, of the run and of each client."""
    return service.metrics_of(session, service.run_of(session, who, run)[0])
