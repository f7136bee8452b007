"""Signing in by an OpenID Connect provider: authorization code with PKCE, state and nonce.

A person of the provider is known by issuer and subject. The first time, a verified address joins
the person to the account of that address; without one, an account is made where settings allow.
"""

from __future__ import annotations

import hashlib
from typing import Annotated, Any
from urllib.parse import urlsplit

import httpx2  # what Authlib asks the provider with
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.starlette_client import OAuth, StarletteOAuth2App
from fastapi import APIRouter, FastAPI, Query, Request
from fastapi.responses import RedirectResponse
from joserfc.errors import JoseError
from starlette.concurrency import run_in_threadpool
from starlette.middleware.sessions import SessionMiddleware

from weir_orchestrator.api.auth import oidc_accounts, sessions
from weir_orchestrator.api.auth.secrets import new_secret
from weir_orchestrator.api.dependencies import SettingsOf
from weir_orchestrator.api.problems import documented
from weir_orchestrator.errors import (
    NotFound,
    NotSignedIn,
    SignInRefused,
    Unavailable,
    Unprocessable,
)
from weir_orchestrator.settings import Settings

__all__ = ["install", "router"]

router = APIRouter(tags=["session"])
_CALLBACK = "/api/v1/oidc/callback"
_TIMEOUT_S = 10.0
_AFTER = "after"
Next = Annotated[
    str,
    Query(
        alias="next",
        pattern=r"^/([^/\\\x00-\x1f\x7f][^\\\x00-\x1f\x7f]*)?$",
        max_length=500,
        description="Page of this site to go on to.",
    ),
]
_REDIRECT: dict[int | str, dict[str, Any]] = {302: {"description": "To go on there."}}


def install(app: FastAPI, settings: Settings) -> None:
    """Have the app know its provider, if it has one."""
    app.state.oidc = None
    if settings.auth == "none" or not settings.oidc.issuer:
        return
    client_secret = settings.oidc.client_secret.get_secret_value()
    oauth = OAuth()
    app.state.oidc = oauth.register(
        name="oidc",
        server_metadata_url=f"{settings.oidc.issuer.rstrip('/')}/.well-known/openid-configuration",
        client_id=settings.oidc.client_id,
        client_secret=client_secret or None,
        client_kwargs={
            "scope": "openid email profile",
            "code_challenge_method": "S256",
            "timeout": _TIMEOUT_S,
            **({} if client_secret else {"token_endpoint_auth_method": "none"}),
        },
    )
    # Holds state, nonce and verifier while the browser is away. Its key is the same in every
    # process of the service, for the browser may come back to another one.
    key = hashlib.sha256(f"weir oidc state {client_secret}".encode()).hexdigest()
    app.add_middleware(
        SessionMiddleware,
        secret_key=key if client_secret else new_secret(),
        session_cookie="weir_oidc",
        max_age=600,
        path="/api/v1/oidc",
        same_site="lax",
        https_only=settings.public_url.startswith("https://"),
    )


@router.get(
    "/oidc/login",
    status_code=302,
    response_class=RedirectResponse,
    responses={**_REDIRECT, **documented(NotFound, Unavailable, Unprocessable)},
)
async def begin_single_sign_on(
    request: Request, settings: SettingsOf, after: Next = "/"
) -> RedirectResponse:
    """Send the browser to the provider."""
    client = _client(request)
    base = settings.public_url or str(request.base_url)
    try:
        answer: RedirectResponse = await client.authorize_redirect(
            request, base.rstrip("/") + _CALLBACK
        )
    except (httpx2.HTTPError, ValueError) as error:
        raise _unreachable(settings) from error
    request.session[_AFTER] = after
    return answer


@router.get(
    "/oidc/callback",
    status_code=302,
    response_class=RedirectResponse,
    responses={**_REDIRECT, **documented(NotFound, NotSignedIn, Unavailable, Unprocessable)},
)
async def end_single_sign_on(request: Request, settings: SettingsOf) -> RedirectResponse:
    """Where the provider sends the browser back to: signs in, and goes on to the page wanted."""
    client = _client(request)
    after = request.session.pop(_AFTER, "/")
    try:
        claims = await _claims(client, request)
    except httpx2.HTTPError as error:
        raise _unreachable(settings) from error
    except (AuthlibBaseError, JoseError, ValueError, TypeError, KeyError) as error:
        raise SignInRefused("the provider's answer is not good: begin to sign in again") from error
    secret = await run_in_threadpool(_begin_session, request, settings, claims)
    answer = RedirectResponse(after, status_code=302)
    sessions.set_cookie(request, answer, secret, settings)
    return answer


async def _claims(client: StarletteOAuth2App, request: Request) -> dict[str, Any]:
    token = await client.authorize_access_token(request)  # type: ignore[no-untyped-call]
    claims = dict(token["userinfo"])
    # Providers may keep address and name for their userinfo endpoint (OIDC Core 5.4).
    if "email" not in claims:
        more = dict(await client.userinfo(token=token))
        if more.get("sub") != claims["sub"]:
            raise ValueError("userinfo is about somebody else")
        claims = {**more, **claims}
    return claims


def _begin_session(request: Request, settings: Settings, claims: dict[str, Any]) -> str:
    address = request.client.host if request.client else None
    with request.app.state.sessions.begin() as session:
        user = oidc_accounts.user_of(session, settings.oidc, claims, address)
        return sessions.begin(session, user, settings)


def _client(request: Request) -> StarletteOAuth2App:
    client: StarletteOAuth2App | None = request.app.state.oidc
    if client is None:
        raise NotFound("there is no single sign-on here")
    return client


def _unreachable(settings: Settings) -> Unavailable:
    host = urlsplit(settings.oidc.issuer).netloc
    return Unavailable(f"the provider of single sign-on ({host}) does not answer as it should")
