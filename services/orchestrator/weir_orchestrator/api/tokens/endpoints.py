"""API tokens of a team."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from weir_orchestrator.api.dependencies import AsksAs, OfTeam, SessionOf
from weir_orchestrator.api.ids import TokenId
from weir_orchestrator.api.paging import Cursor, Limit, Page, page_of
from weir_orchestrator.api.problems import documented
from weir_orchestrator.api.tokens import service
from weir_orchestrator.api.tokens.schemas import MadeToken, NewToken, TokenOut
from weir_orchestrator.db import Token, User
from weir_orchestrator.errors import NotAllowed, NotFound, NotSignedIn, Unprocessable

__all__ = ["router"]

router = APIRouter(tags=["tokens"])


@router.get("/teams/{team}/tokens", responses=documented(NotSignedIn, NotFound, Unprocessable))
def list_tokens(
    team: OfTeam, session: SessionOf, who: AsksAs, limit: Limit = 100, cursor: Cursor = None
) -> Page[TokenOut]:
    """The team's tokens, newest first: all for its administrators, else one's own."""
    query = (
        service.seen(who, team)
        .outerjoin(User, User.id == Token.created_by)
        .add_columns(User.email)
        .order_by(Token.created_at.desc(), Token.id)
    )
    rows, following = page_of(session, query, limit, cursor)
    items = [TokenOut(**_fields(token, email)) for token, email in rows]
    return Page(items=items, next=following)


@router.post(
    "/teams/{team}/tokens",
    status_code=201,
    responses=documented(NotSignedIn, NotAllowed, NotFound, Unprocessable),
)
def make_token(new: NewToken, team: OfTeam, session: SessionOf, who: AsksAs) -> MadeToken:
    """Make a token; its secret is in this answer and never again."""
    token, secret = service.make(session, who, team, new)
    user = session.get_one(User, token.created_by)
    return MadeToken(**_fields(token, user.email), secret=secret)


@router.delete(
    "/teams/{team}/tokens/{token}",
    status_code=204,
    responses=documented(NotSignedIn, NotAllowed, NotFound, Unprocessable),
)
def revoke_token(team: OfTeam, token: TokenId, session: SessionOf, who: AsksAs) -> None:
    """Revoke a token, at once and for good."""
    service.revoke(session, who, team, token)


def _fields(token: Token, email: str | None) -> dict[str, Any]:
    return {
        "id": token.id,
        "name": token.name,
        "scope": token.scope,
        "made_by": email,
        "created_at": token.created_at,
        "expires_at": token.expires_at,
        "revoked_at": token.revoked_at,
        "last_used_at": token.last_used_at,
    }
