"""From a request to who asks: a bearer token, a session cookie, or nobody."""

from __future__ import annotations

from contextlib import nullcontext
from datetime import timedelta

from fastapi import Request
from sqlalchemy import select, update
from sqlalchemy.orm import Session, joinedload

from weir_orchestrator.api.access import ROLES, Principal
from weir_orchestrator.api.auth.other_sites import refuse_other_sites
from weir_orchestrator.api.auth.secrets import digest
from weir_orchestrator.db import LoginSession, Membership, Team, Token, User, utc_now
from weir_orchestrator.errors import NotSignedIn
from weir_orchestrator.settings import Settings

__all__ = ["COOKIE", "identify"]

COOKIE = "weir_session"
_USED_EVERY = timedelta(minutes=1)


def identify(
    request: Request, settings: Settings, session: Session | None = None
) -> Principal | None:
    """Who asks, or None. Raises NotSignedIn for a token that is no longer good.

    session: a reading one. Without it in a transaction of its own, that is over when the
    endpoint's begins: on SQLite the note that a token was used would otherwise wait for the very
    request that it is about.
    """
    with nullcontext(session) if session else request.app.state.reading() as reading:
        return _identify(request, settings, reading)


def _identify(request: Request, settings: Settings, session: Session) -> Principal | None:
    address = request.client.host if request.client else None
    scheme, _, secret = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and secret:
        return _of_token(request, session, secret.strip(), address)
    refuse_other_sites(request)
    if settings.auth == "none":
        return _of_everybody(session, address)
    cookie = request.cookies.get(COOKIE)
    return _of_session(session, cookie, address) if cookie else None


def _of_token(request: Request, session: Session, secret: str, address: str | None) -> Principal:
    query = (
        select(Token, Membership.role, User.disabled)
        .outerjoin(User, User.id == Token.created_by)
        .outerjoin(
            Membership,
            (Membership.user_id == Token.created_by) & (Membership.team_id == Token.team_id),
        )
    )
    row = session.execute(query.where(Token.secret_hash == digest(secret))).one_or_none()
    now = utc_now()
    if row is None or row[0].revoked_at is not None:
        raise NotSignedIn("this API token is unknown or revoked")
    token, role, disabled = row
    if token.expires_at is not None and token.expires_at <= now:
        raise NotSignedIn(f"this API token expired at {token.expires_at.isoformat()}")
    if role is None or disabled:
        raise NotSignedIn("whoever made this API token has left the team")
    if token.last_used_at is None or now - token.last_used_at > _USED_EVERY:
        with request.app.state.sessions.begin() as writing:
            writing.execute(update(Token).where(Token.id == token.id).values(last_used_at=now))
    return Principal(
        user_id=token.created_by,
        token_id=token.id,
        # A token never holds more than who made it.
        roles={token.team_id: min(token.scope, role, key=ROLES.index)},
        name=token.name,
        address=address,
    )


def _of_session(session: Session, cookie: str, address: str | None) -> Principal | None:
    query = select(LoginSession).options(joinedload(LoginSession.user))
    found = session.scalar(query.where(LoginSession.id == digest(cookie)))
    if found is None or found.expires_at <= utc_now() or found.user.disabled:
        return None
    return _of_user(session, found.user, address)


def _of_everybody(session: Session, address: str | None) -> Principal | None:
    user = session.scalar(select(User).where(User.is_admin).order_by(User.created_at).limit(1))
    return _of_user(session, user, address) if user is not None else None


def _of_user(session: Session, user: User, address: str | None) -> Principal:
    memberships = session.execute(
        select(Team.id, Membership.role)
        .join(Membership, Membership.team_id == Team.id)
        .where(Membership.user_id == user.id)
    )
    return Principal(
        user_id=user.id,
        is_admin=user.is_admin,
        roles=dict(memberships.all()),
        name=user.name,
        address=address,
    )
