"""/schedules/{schedule}/badge, and the pictures themselves: /badges/{badge}."""

from __future__ import annotations

import secrets
from typing import Annotated, Final

from fastapi import APIRouter, Path, Response
from pydantic import BaseModel, Field
from sqlalchemy import select

from weir_orchestrator.api import audit_log
from weir_orchestrator.api.badges.picture import drawn
from weir_orchestrator.api.dependencies import AsksAs, SessionOf
from weir_orchestrator.api.ids import ScheduleId
from weir_orchestrator.api.problems import documented
from weir_orchestrator.api.schedules.lookup import schedule_of
from weir_orchestrator.db import Schedule
from weir_orchestrator.errors import NotAllowed, NotFound, NotSignedIn, Unprocessable
from weir_orchestrator.schedules import judged

__all__ = ["router"]

router = APIRouter(tags=["badges"])

_CHANGING: Final = documented(NotSignedIn, NotAllowed, NotFound, Unprocessable)
_BYTES: Final = 24
_FRESH: Final = {"Cache-Control": "max-age=60, must-revalidate"}
"""Pages that show it are looked at more often than nights are judged."""


class BadgeOut(BaseModel):
    """Where the picture is."""

    path: str = Field(
        description="Of its address at this server; who has it sees the schedule's name and newest "
        "verdict, and nothing else."
    )


@router.post("/schedules/{schedule}/badge", status_code=201, responses=_CHANGING)
def make_badge(session: SessionOf, who: AsksAs, schedule: ScheduleId) -> BadgeOut:
    """Give the schedule a badge at a new address; the one so far ends."""
    found = schedule_of(session, who, schedule, "submit")
    found.badge = secrets.token_urlsafe(_BYTES)
    audit_log.log(session, who, "badge.make", found.team_id, found.id)
    return BadgeOut(path=f"/api/v1/badges/{found.badge}")


@router.delete("/schedules/{schedule}/badge", status_code=204, responses=_CHANGING)
def delete_badge(session: SessionOf, who: AsksAs, schedule: ScheduleId) -> None:
    """Let its address end."""
    found = schedule_of(session, who, schedule, "submit")
    found.badge = None
    audit_log.log(session, who, "badge.delete", found.team_id, found.id)


@router.get(
    "/badges/{badge}",
    response_class=Response,
    responses={
        200: {"content": {"image/svg+xml": {}}, "description": "The newest verdict"},
        **documented(NotFound, Unprocessable),
    },
)
def show_badge(
    session: SessionOf,
    badge: Annotated[
        str,
        Path(
            min_length=1,
            max_length=64,
            description="As its address was told.",
            examples=["3o1mQ0bq0aQyZ8f7dHk2vWc5uTn4xRj9"],
        ),
    ],
) -> Response:
    """The newest verdict of a schedule as a picture, for whoever has its address."""
    schedule = session.scalar(select(Schedule).where(Schedule.badge == badge))
    if schedule is None:
        raise NotFound("no such badge, or its address has ended")
    picture = drawn(schedule.name, session.scalar(judged(schedule.id).limit(1)))
    return Response(picture, media_type="image/svg+xml", headers=_FRESH)
