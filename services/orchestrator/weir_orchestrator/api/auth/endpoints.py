"""Signing in and out, and who one is."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from weir_orchestrator.api.auth import service, sessions
from weir_orchestrator.api.auth.identify import COOKIE
from weir_orchestrator.api.auth.other_sites import refuse_other_sites
from weir_orchestrator.api.auth.schemas import Me, PasswordChange, SignIn, WaysIn
from weir_orchestrator.api.auth.throttle import Throttle
from weir_orchestrator.api.dependencies import AsksAs, SessionOf, SettingsOf
from weir_orchestrator.api.problems import documented
from weir_orchestrator.errors import (
    Conflict,
    NotAllowed,
    NotSignedIn,
    TooManyRequests,
    Unprocessable,
)

__all__ = ["router"]

router = APIRouter(tags=["session"])


@router.get("/session")
def ways_in(settings: SettingsOf) -> WaysIn:
    """How one signs in here."""
    name = settings.oidc.name if settings.auth == "login" and settings.oidc.issuer else None
    return WaysIn(auth=settings.auth, single_sign_on=name)


@router.post(
    "/session",
    status_code=204,
    responses=documented(NotSignedIn, NotAllowed, Conflict, TooManyRequests, Unprocessable),
)
def sign_in(
    given: SignIn, request: Request, response: Response, session: SessionOf, settings: SettingsOf
) -> None:
    """Sign in by password; the answer sets the session's cookie."""
    refuse_other_sites(request)
    if settings.auth == "none":
        raise Conflict("this platform is open to all who reach it: there is nothing to sign in to")
    address = request.client.host if request.client else None
    throttle: Throttle = request.app.state.throttle
    with request.app.state.reading() as reading:
        is_known = service.has_signed_in_from(reading, given.email, address)
    throttle.sign_in(given.email, address, is_known)
    user = service.sign_in(session, given.email, given.password.get_secret_value(), address)
    secret = sessions.begin(session, user, settings)
    sessions.set_cookie(request, response, secret, settings)


@router.delete("/session", status_code=204, responses=documented(NotSignedIn, NotAllowed))
def sign_out(request: Request, response: Response, session: SessionOf, who: AsksAs) -> None:
    """Sign out: the session of the cookie is over."""
    sessions.end(session, request)
    sessions.forget_cookie(response)


@router.get("/me", responses=documented(NotSignedIn))
def show_me(session: SessionOf, who: AsksAs) -> Me:
    """Who asks, and in which teams."""
    return service.me(session, who)


@router.put(
    "/me/password",
    status_code=204,
    responses=documented(NotSignedIn, NotAllowed, TooManyRequests, Unprocessable),
)
def change_my_password(
    given: PasswordChange, request: Request, session: SessionOf, who: AsksAs
) -> None:
    """Change one's own password; other browsers are signed out."""
    throttle: Throttle = request.app.state.throttle
    throttle.sign_in(f"password of {who.user_id}", who.address, is_known=True)
    service.change_password(
        session,
        who,
        given.password.get_secret_value(),
        given.new_password.get_secret_value(),
    )
    assert who.user_id is not None
    sessions.end_all(session, who.user_id, but=request.cookies.get(COOKIE))
