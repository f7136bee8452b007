"""What endpoints ask for: the database session, the object store, who asks, a team.

Those that wait for nothing are coroutines: FastAPI would take others to a thread, which costs more
than they do.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Annotated

from anyio import CancelScope
from fastapi import Depends, Path, Request
from fastapi.concurrency import run_in_threadpool
from sqlalchemy import select
from sqlalchemy.orm import Session

from weir_orchestrator.api.access import Principal
from weir_orchestrator.api.auth.identify import identify
from weir_orchestrator.db import Team
from weir_orchestrator.errors import NotFound, NotSignedIn
from weir_orchestrator.objects import ObjectStore
from weir_orchestrator.settings import Settings

__all__ = [
    "AsksAs",
    "Now",
    "Objects",
    "OfTeam",
    "SessionOf",
    "SettingsOf",
    "TeamSlug",
]


async def _settings(request: Request) -> Settings:
    settings: Settings = request.app.state.settings
    return settings


async def _objects(request: Request) -> ObjectStore:
    objects: ObjectStore = request.app.state.objects
    return objects


async def _now(request: Request) -> datetime:
    now: datetime = request.app.state.now()
    return now


async def _session(request: Request) -> AsyncIterator[Session]:
    """Committed once, before the answer is sent; rolled back when the endpoint raises."""
    state = request.app.state
    session: Session = (state.reading if _reads(request) else state.sessions)()
    try:
        yield session
        if session.in_transaction():
            await run_in_threadpool(session.commit)
    finally:
        if session.in_transaction():
            with CancelScope(shield=True):
                await run_in_threadpool(session.close)


def _reads(request: Request) -> bool:
    return request.method in {"GET", "HEAD"}


Now = Annotated[datetime, Depends(_now)]
SettingsOf = Annotated[Settings, Depends(_settings)]
Objects = Annotated[ObjectStore, Depends(_objects)]
SessionOf = Annotated[Session, Depends(_session, scope="function")]


def _principal(request: Request, settings: SettingsOf, session: SessionOf) -> Principal:
    found = identify(request, settings, session if _reads(request) else None)
    if found is None:
        raise NotSignedIn("give a session cookie or an API token (Authorization: Bearer ...)")
    return found


AsksAs = Annotated[Principal, Depends(_principal)]


TeamSlug = Annotated[
    str,
    Path(
        description="The team's slug.",
        pattern=r"^[a-z0-9][a-z0-9-]*$",
        max_length=60,
        examples=["local"],
    ),
]


def _team(session: SessionOf, who: AsksAs, team: TeamSlug) -> Team:
    found = session.scalar(select(Team).where(Team.slug == team))
    if found is None:
        raise NotFound("no such team, or it is another team's")
    who.require(found.id, "read")
    return found


OfTeam = Annotated[Team, Depends(_team)]
"""The team named in the path, which the asker may at least read."""
