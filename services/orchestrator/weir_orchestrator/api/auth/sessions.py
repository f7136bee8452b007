"""Browsers' sessions: a secret in a cookie, its hash in the database."""

from __future__ import annotations

import uuid

from fastapi import Request, Response
from sqlalchemy import delete
from sqlalchemy.orm import Session

from weir_orchestrator.api.auth.identify import COOKIE
from weir_orchestrator.api.auth.secrets import digest, new_secret
from weir_orchestrator.db import LoginSession, User, utc_now
from weir_orchestrator.settings import Settings

__all__ = ["begin", "end", "end_all", "forget_cookie", "set_cookie"]


def begin(session: Session, user: User, settings: Settings) -> str:
    """The secret of a new session. Those of the user that ran out are removed."""
    now = utc_now()
    session.execute(
        delete(LoginSession).where(LoginSession.user_id == user.id, LoginSession.expires_at <= now)
    )
    secret = new_secret()
    session.add(
        LoginSession(id=digest(secret), user_id=user.id, expires_at=now + settings.session_age)
    )
    return secret


def end(session: Session, request: Request) -> None:
    """End the session of the request's cookie, if it has one."""
    if cookie := request.cookies.get(COOKIE):
        session.execute(delete(LoginSession).where(LoginSession.id == digest(cookie)))


def end_all(session: Session, user_id: uuid.UUID, *, but: str | None = None) -> None:
    """End a user's sessions, except the one of the cookie `but`."""
    ended = delete(LoginSession).where(LoginSession.user_id == user_id)
    session.execute(ended.where(LoginSession.id != digest(but)) if but else ended)


def set_cookie(request: Request, response: Response, secret: str, settings: Settings) -> None:
    """Give the browser the session's secret, which scripts cannot read."""
    response.set_cookie(
        COOKIE,
        secret,
        max_age=int(settings.session_age.total_seconds()),
        httponly=True,
        samesite="lax",
        secure=is_https(request, settings),
    )


def forget_cookie(response: Response) -> None:
    """Have the browser drop the cookie."""
    response.delete_cookie(COOKIE, httponly=True, samesite="lax")


def is_https(request: Request, settings: Settings) -> bool:
    """Whether browsers reach the platform encrypted."""
    return (settings.public_url or str(request.base_url)).startswith("https://")
