"""/teams/{team}/schedules and /schedules/{schedule}."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Depends, Query, Request, Response
from sqlalchemy import select

from weir_orchestrator.api.dependencies import AsksAs, Now, Objects, OfTeam, SessionOf, SettingsOf
from weir_orchestrator.api.etag import UNCHANGED, answer
from weir_orchestrator.api.ids import ScheduleId
from weir_orchestrator.api.paging import Cursor, Limit, Page, page_of
from weir_orchestrator.api.problems import documented
from weir_orchestrator.api.schedules.schemas import (
    Cron,
    DueTime,
    NewNight,
    NewSchedule,
    ScheduleChange,
    ScheduleDetail,
    ScheduleOut,
    TickOut,
    TimeZone,
)
from weir_orchestrator.api.schedules.service import Schedules, preview
from weir_orchestrator.api.schedules.shown import detail, shown, ticks_out
from weir_orchestrator.db import Schedule, ScheduleTick
from weir_orchestrator.errors import (
    Conflict,
    NotAllowed,
    NotFound,
    NotSignedIn,
    QuotaExceeded,
    Unprocessable,
)

__all__ = ["router"]

router = APIRouter(tags=["schedules"])

_READING: Final = documented(NotSignedIn, NotFound, Unprocessable)
_CHANGING: Final = (NotSignedIn, NotAllowed, NotFound, Unprocessable)


async def _schedules(
    session: SessionOf, objects: Objects, settings: SettingsOf, who: AsksAs, now: Now
) -> Schedules:
    return Schedules(session, objects, settings, who, now)


Here = Annotated[Schedules, Depends(_schedules)]


@router.get(
    "/teams/{team}/schedules", response_model=Page[ScheduleOut], responses=_READING | UNCHANGED
)
def list_schedules(
    request: Request,
    here: Here,
    session: SessionOf,
    team: OfTeam,
    limit: Limit = 100,
    cursor: Cursor = None,
) -> Response:
    """The team's schedules by name."""
    query = select(Schedule).where(Schedule.team_id == team.id).order_by(Schedule.name)
    rows, following = page_of(session, query, limit, cursor)
    items = shown(session, [schedule for (schedule,) in rows])
    return answer(request, Page[ScheduleOut](items=items, next=following))


@router.post("/teams/{team}/schedules", status_code=201, responses=documented(*_CHANGING, Conflict))
def make_schedule(here: Here, session: SessionOf, team: OfTeam, new: NewSchedule) -> ScheduleDetail:
    """Make a schedule. Its campaign is checked now, and kept as it is now."""
    return detail(session, here.make(team, new))


@router.get("/teams/{team}/schedules/preview", responses=_READING)
def preview_schedule(
    team: OfTeam,
    now: Now,
    cron: Annotated[Cron, Query()],
    timezone: Annotated[TimeZone, Query()] = "UTC",
    count: Annotated[int, Query(ge=1, le=100, description="How many.")] = 10,
) -> list[DueTime]:
    """The next times at which a cron line is due."""
    return preview(cron, timezone, now, count)


@router.get("/schedules/{schedule}", responses=_READING)
def show_schedule(here: Here, session: SessionOf, schedule: ScheduleId) -> ScheduleDetail:
    """A schedule, with what it submits."""
    return detail(session, here.get(schedule))


@router.patch("/schedules/{schedule}", responses=documented(*_CHANGING, Conflict))
def change_schedule(
    here: Here, session: SessionOf, schedule: ScheduleId, change: ScheduleChange
) -> ScheduleDetail:
    """Change a schedule, switch it on or off, or pin another campaign."""
    return detail(session, here.change(schedule, change))


@router.delete("/schedules/{schedule}", status_code=204, responses=documented(*_CHANGING))
def delete_schedule(here: Here, schedule: ScheduleId) -> None:
    """Delete a schedule; the campaigns that it submitted stay."""
    here.delete(schedule)


@router.post(
    "/schedules/{schedule}/run", status_code=201, responses=documented(*_CHANGING, QuotaExceeded)
)
def run_schedule(
    here: Here, session: SessionOf, schedule: ScheduleId, body: NewNight | None = None
) -> TickOut:
    """Submit its campaign now, also while it is disabled or another one is going on.

    A body gives other contents of some of its files: what is under test tonight.
    """
    (told,) = ticks_out(session, [here.run(schedule, body or NewNight())])
    return told


@router.get(
    "/schedules/{schedule}/ticks", response_model=Page[TickOut], responses=_READING | UNCHANGED
)
def list_schedule_ticks(
    request: Request,
    here: Here,
    session: SessionOf,
    schedule: ScheduleId,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    """When it was due and what came of it, newest first."""
    found = here.get(schedule)
    query = select(ScheduleTick).where(ScheduleTick.schedule_id == found.id)
    rows, following = page_of(session, query.order_by(ScheduleTick.id.desc()), limit, cursor)
    items = ticks_out(session, [tick for (tick,) in rows])
    return answer(request, Page[TickOut](items=items, next=following))
