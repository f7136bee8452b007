"""Making and revoking API tokens."""

from __future__ import annotations

import uuid
from datetime import timedelta

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from weir_orchestrator.api import audit_log
from weir_orchestrator.api.access import Principal, holds
from weir_orchestrator.api.auth.secrets import digest, new_token
from weir_orchestrator.api.auth.service import myself
from weir_orchestrator.api.tokens.schemas import NewToken
from weir_orchestrator.db import Team, Token, utc_now
from weir_orchestrator.errors import NotFound

__all__ = ["make", "revoke", "seen"]


def make(session: Session, who: Principal, team: Team, new: NewToken) -> tuple[Token, str]:
    """A new token and its secret. Raises NotAllowed for more than the maker's role, and where a
    token asks: one that leaked must not outlive its revocation by making others."""
    user = myself(session, who)
    who.require(team.id, new.scope)
    secret = new_token()
    lasts = timedelta(days=new.expires_in_days) if new.expires_in_days is not None else None
    token = Token(
        team_id=team.id,
        created_by=user.id,
        name=new.name,
        scope=new.scope,
        secret_hash=digest(secret),
        expires_at=utc_now() + lasts if lasts is not None else None,
    )
    session.add(token)
    session.flush()
    audit_log.log(session, who, "token.make", team.id, token.id, name=new.name, scope=new.scope)
    return token, secret


def seen(who: Principal, team: Team) -> Select[Token]:
    """The team's tokens that one may see and revoke: all for its administrators, else one's own."""
    query = select(Token).where(Token.team_id == team.id)
    if holds(who.roles.get(team.id), "admin"):
        return query
    return query.where(Token.created_by == who.user_id)


def revoke(session: Session, who: Principal, team: Team, token_id: uuid.UUID) -> None:
    """Raises NotFound; NotAllowed for another one's token. Revoking twice changes nothing."""
    of_team = select(Token).where(Token.team_id == team.id, Token.id == token_id)
    token = session.scalar(of_team)
    if token is None:
        raise NotFound("no such token")
    if token.created_by != who.user_id:
        who.require(team.id, "admin")
    if token.revoked_at is None:
        token.revoked_at = utc_now()
        audit_log.log(session, who, "token.revoke", team.id, token.id, name=token.name)
