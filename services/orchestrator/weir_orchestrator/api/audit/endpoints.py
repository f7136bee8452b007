"""Reading the audit log."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from sqlalchemy import Select, or_, select

from weir_orchestrator.api.audit.schemas import AuditEntryOut
from weir_orchestrator.api.dependencies import AsksAs, OfTeam, SessionOf
from weir_orchestrator.api.paging import Cursor, Limit, Page, page_of
from weir_orchestrator.api.problems import documented
from weir_orchestrator.db import AuditEntry, Token, User
from weir_orchestrator.errors import NotAllowed, NotFound, NotSignedIn, Unprocessable

__all__ = ["router"]

router = APIRouter(tags=["audit"])
Action = Annotated[
    str | None,
    Query(
        pattern=r"^[a-z_]+(\.[a-z_]+)?$",
        max_length=60,
        description="A noun, or noun.verb; empty: all.",
        examples=["campaign"],
    ),
]
_Entries = Select[AuditEntry, str, str]
_OF_INSTALLATION = ("user", "team", "member", "token", "session")


@router.get(
    "/teams/{team}/audit", responses=documented(NotSignedIn, NotAllowed, NotFound, Unprocessable)
)
def list_team_audit(
    team: OfTeam,
    session: SessionOf,
    who: AsksAs,
    action: Action = None,
    limit: Limit = 100,
    cursor: Cursor = None,
) -> Page[AuditEntryOut]:
    """What was done in the team, newest first."""
    who.require(team.id, "admin")
    return _page(session, _entries(action).where(AuditEntry.team_id == team.id), limit, cursor)


@router.get("/audit", responses=documented(NotSignedIn, NotAllowed, Unprocessable))
def list_audit(
    session: SessionOf,
    who: AsksAs,
    action: Action = None,
    limit: Limit = 100,
    cursor: Cursor = None,
) -> Page[AuditEntryOut]:
    """What was done to users, teams, tokens and the installation, newest first."""
    who.require_admin()
    nouns = [AuditEntry.action.startswith(f"{noun}.") for noun in _OF_INSTALLATION]
    query = _entries(action).where(or_(AuditEntry.team_id.is_(None), *nouns))
    return _page(session, query, limit, cursor)


def _entries(action: str | None) -> _Entries:
    query = (
        select(AuditEntry, User.email, Token.name)
        .outerjoin(User, User.id == AuditEntry.user_id)
        .outerjoin(Token, Token.id == AuditEntry.token_id)
        .order_by(AuditEntry.id.desc())
    )
    if action is None:
        return query
    if "." in action:
        return query.where(AuditEntry.action == action)
    return query.where(AuditEntry.action.startswith(f"{action}.", autoescape=True))


def _page(
    session: SessionOf, query: _Entries, limit: int, cursor: str | None
) -> Page[AuditEntryOut]:
    rows, following = page_of(session, query, limit, cursor)
    return Page(items=[_entry_out(*row) for row in rows], next=following)


def _entry_out(entry: AuditEntry, email: str | None, token: str | None) -> AuditEntryOut:
    return AuditEntryOut(
        id=entry.id,
        at=entry.at,
        action=entry.action,
        object_id=entry.object_id,
        by=email,
        token=token,
        team_id=entry.team_id,
        address=entry.address,
        detail=entry.detail,
    )
