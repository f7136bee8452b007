"""/schedules/{schedule}/alarms and /alarms/{alarm}."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Path, Query, Request, Response

from weir_orchestrator.api.alarms.schemas import AlarmChange, AlarmOut
from weir_orchestrator.api.alarms.service import Alarms
from weir_orchestrator.api.dependencies import AsksAs, Now, SessionOf
from weir_orchestrator.api.etag import UNCHANGED, answer
from weir_orchestrator.api.ids import ScheduleId
from weir_orchestrator.api.paging import Cursor, Limit, Page
from weir_orchestrator.api.problems import documented
from weir_orchestrator.errors import NotAllowed, NotFound, NotSignedIn, Unprocessable

__all__ = ["router"]

router = APIRouter(tags=["alarms"])

_READING: Final = documented(NotSignedIn, NotFound, Unprocessable)
_CHANGING: Final = documented(NotSignedIn, NotAllowed, NotFound, Unprocessable)

AlarmId = Annotated[int, Path(ge=1, le=2**63 - 1, description="The alarm's id.", examples=[7])]


@router.get(
    "/schedules/{schedule}/alarms", response_model=Page[AlarmOut], responses=_READING | UNCHANGED
)
def list_alarms(
    request: Request,
    session: SessionOf,
    who: AsksAs,
    now: Now,
    schedule: ScheduleId,
    closed: Annotated[bool, Query(description="Those that are closed, instead.")] = False,
    limit: Limit = 100,
    cursor: Cursor = None,
) -> Response:
    """What is worse than the baseline, newest first."""
    found = Alarms(session, who, now).of_schedule(schedule, closed, limit, cursor)
    return answer(request, found)


@router.patch("/alarms/{alarm}", responses=_CHANGING)
def change_alarm(
    session: SessionOf, who: AsksAs, now: Now, alarm: AlarmId, change: AlarmChange
) -> AlarmOut:
    """Acknowledge an alarm, mute it until a time, or note something down."""
    return Alarms(session, who, now).change(alarm, change)
