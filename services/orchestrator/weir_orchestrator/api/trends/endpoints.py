"""/schedules/{schedule}/board, /schedules/{schedule}/changes, /trends/{trend} and its /pairs."""

from __future__ import annotations

import uuid
from typing import Annotated, Final

from fastapi import APIRouter, Path, Query, Request, Response

from weir_orchestrator.api.dependencies import AsksAs, SessionOf
from weir_orchestrator.api.etag import UNCHANGED, answer
from weir_orchestrator.api.ids import ScheduleId
from weir_orchestrator.api.paging import Cursor, Limit, Page
from weir_orchestrator.api.problems import documented
from weir_orchestrator.api.trends.schemas import Board, Change, RunPair, TrendOut
from weir_orchestrator.api.trends.service import Trends
from weir_orchestrator.errors import NotFound, NotSignedIn, Unprocessable

__all__ = ["router"]

router = APIRouter(tags=["trends"])

_READING: Final = documented(NotSignedIn, NotFound, Unprocessable)

Night = Annotated[
    uuid.UUID | None, Query(description="The night's campaign; by default the newest judged.")
]
TrendId = Annotated[int, Path(ge=1, le=2**63 - 1, description="The trend's id.", examples=[7])]


@router.get("/schedules/{schedule}/board", response_model=Board, responses=_READING | UNCHANGED)
def show_board(
    request: Request,
    session: SessionOf,
    who: AsksAs,
    schedule: ScheduleId,
    night: Night = None,
) -> Response:
    """A night of a schedule that has a baseline: every metric of every combination."""
    return answer(request, Trends(session, who).board(schedule, night))


@router.get(
    "/schedules/{schedule}/changes", response_model=Page[Change], responses=_READING | UNCHANGED
)
def list_changes(
    request: Request,
    session: SessionOf,
    who: AsksAs,
    schedule: ScheduleId,
    limit: Limit = 100,
    cursor: Cursor = None,
) -> Response:
    """The nights on which a metric of a combination changed, newest first."""
    return answer(request, Trends(session, who).changes(schedule, limit, cursor))


@router.get("/trends/{trend}", response_model=TrendOut, responses=_READING | UNCHANGED)
def show_trend(
    request: Request,
    session: SessionOf,
    who: AsksAs,
    trend: TrendId,
    nights: Annotated[int, Query(ge=1, le=2000, description="The newest so many.")] = 400,
) -> Response:
    """One metric of one combination, night by night."""
    return answer(request, Trends(session, who).trend(trend, nights))


@router.get("/trends/{trend}/pairs", responses=_READING)
def list_pairs(
    session: SessionOf, who: AsksAs, trend: TrendId, night: Night = None
) -> list[RunPair]:
    """The runs behind a night's verdict, each beside the baseline's of the same seed.

    The pair with the median difference comes first, the most unusual one last. Empty where the
    night was not compared.
    """
    return Trends(session, who).pairs(trend, night)
