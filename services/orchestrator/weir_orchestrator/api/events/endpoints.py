"""Streams of events, and a campaign's history."""

from __future__ import annotations

import uuid
from typing import Annotated, Any, Final

import anyio
from fastapi import APIRouter, Header, Query, Request, Response
from sqlalchemy import select
from sse_starlette.sse import EventSourceResponse

from weir_orchestrator.api.access import Principal
from weir_orchestrator.api.auth.identify import identify
from weir_orchestrator.api.dependencies import AsksAs, OfTeam, SessionOf
from weir_orchestrator.api.etag import UNCHANGED, answer
from weir_orchestrator.api.events.schemas import EventOut, Kind, event_out
from weir_orchestrator.api.events.stream import Stream
from weir_orchestrator.api.ids import CampaignId
from weir_orchestrator.api.paging import Cursor, Limit, Page, page_of
from weir_orchestrator.api.problems import documented
from weir_orchestrator.api.runs.service import campaign_of
from weir_orchestrator.db import Event
from weir_orchestrator.errors import NotFound, NotSignedIn, TooManyRequests, Unprocessable

__all__ = ["router"]

router = APIRouter(tags=["events"])

_PING_S: Final = 15
_SEND_TIMEOUT_S: Final = 120
_GRACE_S: Final = 3
"""Less than the server's own patience at its end (weir_orchestrator.work)."""
_REFUSALS: Final = documented(NotSignedIn, NotFound, Unprocessable)
_STREAM: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "Server-sent events until the time of the setting `watch` is over. `open` "
        "comes first, `lagged` where some were left out, `closed` before an end for good.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
}

Kinds = Annotated[list[Kind] | None, Query(max_length=20, description="Any of these.")]
_EventId = Annotated[int | None, Query(ge=0, le=2**53, description="Begin after this event.")]
_LastEventId = Annotated[
    int | None,
    Header(alias="Last-Event-ID", ge=0, le=2**53, description="As `after`; goes before it."),
]


@router.get(
    "/campaigns/{campaign}/events",
    response_class=EventSourceResponse,
    responses=_REFUSALS | documented(TooManyRequests) | _STREAM,
)
def watch_campaign(
    request: Request,
    session: SessionOf,
    who: AsksAs,
    campaign: CampaignId,
    kind: Kinds = None,
    after: _EventId = None,
    last_event_id: _LastEventId = None,
) -> Response:
    """What happens in a campaign, as it happens."""
    found = campaign_of(session, who, campaign)
    begin = last_event_id if last_event_id is not None else after
    return _stream(request, who, found.team_id, found.id, kind, begin)


@router.get(
    "/teams/{team}/events",
    response_class=EventSourceResponse,
    responses=_REFUSALS | documented(TooManyRequests) | _STREAM,
)
def watch_team(
    request: Request,
    team: OfTeam,
    who: AsksAs,
    kind: Kinds = None,
    after: _EventId = None,
    last_event_id: _LastEventId = None,
) -> Response:
    """What happens in all campaigns of a team, its schedules and webhooks, as it happens."""
    begin = last_event_id if last_event_id is not None else after
    return _stream(request, who, team.id, None, kind, begin)


@router.get(
    "/campaigns/{campaign}/history",
    response_model=Page[EventOut],
    responses=_REFUSALS | UNCHANGED,
)
def list_campaign_history(
    request: Request,
    session: SessionOf,
    who: AsksAs,
    campaign: CampaignId,
    kind: Kinds = None,
    limit: Limit = 100,
    cursor: Cursor = None,
) -> Response:
    """What has happened in a campaign, newest first, for as long as events are kept."""
    found = campaign_of(session, who, campaign)
    query = select(Event).where(Event.campaign_id == found.id).order_by(Event.id.desc())
    if kind:
        query = query.where(Event.kind.in_(kind))
    rows, following = page_of(session, query, limit, cursor)
    items = [event_out(event) for (event,) in rows]
    return answer(request, Page[EventOut](items=items, next=following))


def _stream(
    request: Request,
    user: Principal,
    team_id: uuid.UUID,
    campaign_id: uuid.UUID | None,
    kinds: list[Kind] | None,
    after: int | None,
) -> Response:
    state = request.app.state
    state.feed.require_room(user.user_id)

    def check() -> None:
        who = identify(request, state.settings)
        if who is None:
            raise NotSignedIn("the session has ended")
        who.require(team_id, "read")
        if campaign_id is not None:
            with state.reading() as session:
                campaign_of(session, who, campaign_id)

    stopping = anyio.Event()
    stream = Stream(
        feed=state.feed,
        sessions=state.reading,
        topic=campaign_id or team_id,
        user=user.user_id,
        which=Event.campaign_id == campaign_id if campaign_id else Event.team_id == team_id,
        kinds=frozenset(kinds or ()),
        check=check,
        for_s=state.settings.watch.total_seconds(),
        stopping=stopping,
    )
    return EventSourceResponse(
        stream.events(after),
        ping=_PING_S,
        send_timeout=_SEND_TIMEOUT_S,
        shutdown_event=stopping,
        shutdown_grace_period=_GRACE_S,
    )
