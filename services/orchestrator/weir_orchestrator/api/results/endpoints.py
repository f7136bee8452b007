"""/campaigns/{campaign}/aggregate, effects, contrasts, answer, search, values, table.csv, and
/compare.
"""

from __future__ import annotations

import uuid
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse
from weir_engine.states import FINISHED

from weir_orchestrator.api.dependencies import AsksAs, Objects, SessionOf
from weir_orchestrator.api.ids import CampaignId
from weir_orchestrator.api.problems import documented
from weir_orchestrator.api.results import service
from weir_orchestrator.api.results.answer import answer
from weir_orchestrator.api.results.answer_schemas import AnswerOut
from weir_orchestrator.api.results.parting import where_they_part
from weir_orchestrator.api.results.schemas import (
    Aggregate,
    Comparison,
    Contrasts,
    Effects,
    RunComparison,
    RunPartings,
    Scorecard,
    Values,
)
from weir_orchestrator.api.results.scorecard import scorecard
from weir_orchestrator.api.results.search import search
from weir_orchestrator.api.results.search_schemas import SearchOut
from weir_orchestrator.api.results.table import csv_of
from weir_orchestrator.api.runs.endpoints import REFUSALS
from weir_orchestrator.api.runs.levels import IN_OPENAPI, LevelsAsked, combinations
from weir_orchestrator.api.runs.metrics import ClientRank, MetricName
from weir_orchestrator.api.runs.service import campaign_of, run_of
from weir_orchestrator.errors import Conflict, Unavailable

__all__ = ["router"]

router = APIRouter(tags=["results"])

Factor = Annotated[
    str | None,
    Query(
        max_length=200,
        description="A factor of the campaign; without it all its levels are pooled.",
        examples=["server.congestion_control"],
    ),
]


@router.get(
    "/campaigns/{campaign}/aggregate", responses=documented(*REFUSALS), openapi_extra=IN_OPENAPI
)
def aggregate_metric(
    session: SessionOf,
    who: AsksAs,
    campaign: CampaignId,
    levels: LevelsAsked,
    metric: MetricName,
    rows: Factor = None,
    columns: Factor = None,
    client: ClientRank = None,
) -> Aggregate:
    """Mean with its interval, quantiles and range of a metric by up to two factors."""
    found = campaign_of(session, who, campaign)
    return service.aggregate(session, found, levels, metric, client, rows, columns)


@router.get("/campaigns/{campaign}/effects", responses=documented(*REFUSALS))
def list_effects(
    session: SessionOf,
    who: AsksAs,
    campaign: CampaignId,
    metric: MetricName,
    client: ClientRank = None,
) -> Effects:
    """How much of a metric's variance each factor explains, the largest effect first."""
    return service.effects(session, campaign_of(session, who, campaign), metric, client)


Level = Annotated[str, Query(max_length=1000, description="As text, as in `level.<factor path>`.")]


@router.get(
    "/campaigns/{campaign}/contrasts", responses=documented(*REFUSALS), openapi_extra=IN_OPENAPI
)
def contrast_groups(
    session: SessionOf,
    who: AsksAs,
    campaign: CampaignId,
    levels: LevelsAsked,
    metric: MetricName,
    rows: Factor = None,
    columns: Factor = None,
    row: Level = "",
    column: Level = "",
    client: ClientRank = None,
) -> Contrasts:
    """Every group against the one at `row` and `column`, over the seeds that both have."""
    found = campaign_of(session, who, campaign)
    factors, base = {"rows": rows, "columns": columns}, {"row": row, "column": column}
    return service.contrast(session, found, levels, metric, client, factors, base)


@router.get(
    "/campaigns/{campaign}/scorecard", responses=documented(*REFUSALS), openapi_extra=IN_OPENAPI
)
def score_levels(
    session: SessionOf,
    who: AsksAs,
    campaign: CampaignId,
    levels: LevelsAsked,
    factor: Annotated[str, Query(max_length=200, description="Whose levels are compared.")],
    against: Annotated[
        str, Query(max_length=1000, description="The level that it is compared with, as text.")
    ],
    by: Annotated[
        list[str] | None,
        Query(
            max_length=20,
            description="Factors whose levels are kept apart; default: all others. The rest is "
            "pooled; an empty one pools all.",
        ),
    ] = None,
    metric: Annotated[
        list[str] | None, Query(max_length=100, description="Only these; default: all.")
    ] = None,
    client: ClientRank = None,
) -> Scorecard:
    """All metrics at each level of a factor against one of them, paired by seed."""
    found = campaign_of(session, who, campaign)
    apart = None if by is None else [path for path in by if path]
    return scorecard(session, found, levels, factor, against, apart, metric or (), client)


@router.get("/campaigns/{campaign}/answer", responses=documented(*REFUSALS, Conflict))
def show_answer(session: SessionOf, who: AsksAs, campaign: CampaignId) -> AnswerOut:
    """Whether one level beats the other one, of a campaign that asks a question."""
    return answer(session, campaign_of(session, who, campaign))


@router.get("/campaigns/{campaign}/search", responses=documented(*REFUSALS, Conflict))
def show_search(
    session: SessionOf,
    who: AsksAs,
    campaign: CampaignId,
    most: Annotated[int, Query(ge=1, le=10_000, description="Subjects that are listed.")] = 500,
) -> SearchOut:
    """What a campaign's search found, or how far it has narrowed, for each of its subjects."""
    return search(session, campaign_of(session, who, campaign), most)


@router.get(
    "/campaigns/{campaign}/values", responses=documented(*REFUSALS), openapi_extra=IN_OPENAPI
)
def list_values(
    session: SessionOf,
    who: AsksAs,
    campaign: CampaignId,
    levels: LevelsAsked,
    metric: MetricName,
    rows: Factor = None,
    columns: Factor = None,
    client: ClientRank = None,
    most: Annotated[int, Query(ge=2, le=10_000, description="Values of a group.")] = 2000,
) -> Values:
    """A metric run by run, by up to two factors."""
    found = campaign_of(session, who, campaign)
    return service.values(session, found, levels, metric, client, rows, columns, most)


@router.get(
    "/campaigns/{campaign}/table.csv",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "A row per run and client: levels and metrics.",
            "content": {"text/csv": {"schema": {"type": "string"}}},
        },
        **documented(*REFUSALS),
    },
    openapi_extra=IN_OPENAPI,
)
def fetch_table(
    request: Request,
    session: SessionOf,
    who: AsksAs,
    campaign: CampaignId,
    levels: LevelsAsked,
    include_invalid: Annotated[
        bool, Query(description="Also runs that failed their own checks.")
    ] = False,
) -> StreamingResponse:
    """All metrics of a campaign as CSV."""
    found = campaign_of(session, who, campaign)
    numbers = combinations(session, found, levels)
    states = {*FINISHED} if include_invalid else {"succeeded"}
    return StreamingResponse(
        csv_of(request.app.state.reading, found, numbers, states),
        media_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="campaign-{found.id}.csv"'},
    )


@router.get("/compare", responses=documented(*REFUSALS))
def compare_campaigns(
    session: SessionOf,
    who: AsksAs,
    a: Annotated[uuid.UUID, Query(description="A campaign.")],
    b: Annotated[uuid.UUID, Query(description="The one to compare it with.")],
    metric: MetricName,
    client: ClientRank = None,
) -> Comparison:
    """Two campaigns, combination by combination, over the seeds that both have: b - a."""
    campaigns = [campaign_of(session, who, each) for each in (a, b)]
    return service.compare(session, campaigns[0], campaigns[1], metric, client)


RunNumber = Annotated[int, Query(ge=1, le=2**53, description="A run.")]


@router.get("/compare/runs", responses=documented(*REFUSALS))
def compare_runs(session: SessionOf, who: AsksAs, a: RunNumber, b: RunNumber) -> RunComparison:
    """Parameters and metrics in which two runs differ."""
    return service.compare_runs(session, run_of(session, who, a), run_of(session, who, b))


@router.get("/compare/runs/parting", responses=documented(*REFUSALS, Unavailable))
def find_parting(
    session: SessionOf, objects: Objects, who: AsksAs, a: RunNumber, b: RunNumber
) -> RunPartings:
    """The first moment at which two runs part, in each record: packets, ACKs, segments."""
    (first, _), (second, _) = (run_of(session, who, each) for each in (a, b))
    return where_they_part(session, objects, first, second)
