"""From a request to who asks: a bearer token, a session cookie, or nobody."""

from __future__ import annotations

from datetime import timedelta

from fastapi import Request
from sqlalchemy import select, update
from sqlalchemy.orm import Session, joinedload
from weir_orchestrator.api.access import Principal
from weir_orchestrator.api.auth.secrets import digest
from weir_orchestrator.api.problems import NotAllowed, NotSignedIn
from weir_orchestrator.db import LoginSession, Membership, Team, Token, User, utc_now
from weir_orchestrator.settings import Settings

__all__ = ["COOKIE", "identify"]

COOKIE = "weir_session"
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_USED_EVERY = timedelta(minutes=1)


def identify(request: Request, session: Session, settings: Settings) -> Principal | None:
    """Who asks, or None. Raises NotSignedIn for a token or session that is no longer good."""
    address = request.client.host if request.client else None
    scheme, _, secret = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and secret:
        return _of_token(request, session, secret.strip(), address)
    if settings.auth == "none":
        return _of_everybody(session, address)
    cookie = request.cookies.get(COOKIE)
    if cookie:
        _refuse_other_sites(request)
        return _of_session(session, cookie, address)
    return None


def _of_token(request: Request, session: Session, secret: str, address: str | None) -> Principal:
    token = session.scalar(select(Token).where(Token.secret_hash == digest(secret)))
    now = utc_now()
    if token is None or token.revoked_at is not None:
        raise NotSignedIn("this API token is unknown or revoked")
    if token.expires_at is not None and token.expires_at <= now:
        raise NotSignedIn(f"this API token expired at {token.expires_at.isoformat()}")
    if token.last_used_at is None or now - token.last_used_at > _USED_EVERY:
        # In a transaction of its own: the request's may be for reading only.
        with request.app.state.sessions.begin() as writing:
            writing.execute(update(Token).where(Token.id == token.id).values(last_used_at=now))
    return Principal(
        user_id=token.created_by,
        token_id=token.id,
        roles={token.team_id: token.scope},
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
        roles=dict(memberships.tuples().all()),
        name=user.name,
        address=address,
    )


def _refuse_other_sites(request: Request) -> None:
    """A page of another site must not act with this one's cookie (beside SameSite=Lax)."""
    if request.method in _SAFE:
        return
    site = request.headers.get("sec-fetch-site")
    if site is not None and site not in {"same-origin", "none"}:
        raise NotAllowed("this request comes from another site")
