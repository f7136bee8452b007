"""/schedules/{schedule}/bisections and /bisections/{bisection}."""

from __future__ import annotations

import uuid
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Path, Request, Response

from weir_orchestrator.api.bisections.schemas import BisectionOut, NewBisection
from weir_orchestrator.api.bisections.service import Bisections
from weir_orchestrator.api.dependencies import AsksAs, SessionOf, SettingsOf
from weir_orchestrator.api.etag import UNCHANGED, answer
from weir_orchestrator.api.ids import ScheduleId
from weir_orchestrator.api.paging import Cursor, Limit, Page
from weir_orchestrator.api.problems import documented
from weir_orchestrator.errors import NotAllowed, NotFound, NotSignedIn, Unprocessable

__all__ = ["router"]

router = APIRouter(tags=["bisections"])

_READING: Final = documented(NotSignedIn, NotFound, Unprocessable)
BisectionId = Annotated[uuid.UUID, Path(description="The bisection's id.")]


async def _bisections(session: SessionOf, settings: SettingsOf, who: AsksAs) -> Bisections:
    return Bisections(session, settings, who)


Here = Annotated[Bisections, Depends(_bisections)]


@router.post(
    "/schedules/{schedule}/bisections",
    status_code=201,
    responses=documented(NotSignedIn, NotAllowed, NotFound, Unprocessable),
)
def begin_bisection(here: Here, schedule: ScheduleId, new: NewBisection) -> BisectionOut:
    """Look for the commit that moved a night's results, by running some of the commits between.

    What is looked at is what became worse; where nothing did, what became better, higher or lower;
    where nothing is shown, every number that differs.
    """
    return here.begin(schedule, new)


@router.get(
    "/schedules/{schedule}/bisections",
    response_model=Page[BisectionOut],
    responses=_READING | UNCHANGED,
)
def list_bisections(
    request: Request, here: Here, schedule: ScheduleId, limit: Limit = 20, cursor: Cursor = None
) -> Response:
    """A schedule's bisections, newest first."""
    return answer(request, here.page(schedule, limit, cursor))


@router.get("/bisections/{bisection}", response_model=BisectionOut, responses=_READING | UNCHANGED)
def show_bisection(request: Request, here: Here, bisection: BisectionId) -> Response:
    """A bisection: how far it is, and what it found."""
    return answer(request, here.get(bisection))
