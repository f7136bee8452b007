"""The middleware: a body first, then a place, then the application; health needs no place.

A request may hold a database connection while it waits for a thread to go on in. With more
requests than connections, those that have a thread would wait for connections of those that wait
for a thread.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from weir_orchestrator.api.admission import bodies
from weir_orchestrator.api.admission.shares import Shares
from weir_orchestrator.api.auth.identify import COOKIE, identify
from weir_orchestrator.api.auth.secrets import digest
from weir_orchestrator.api.problems import answer
from weir_orchestrator.errors import ApiError, NotSignedIn
from weir_orchestrator.settings import Settings

__all__ = ["Admission"]

_PLACES: Final = 32
"""Fewer than connections (weir_orchestrator.db.engine: 40) and threads (Starlette's: 40)."""
_PLACES_EACH: Final = 16
_LARGE_BYTES: Final = 64 * 1024
"""Larger bodies are taken from those only who are known, and from few at a time: they are in
memory until the answer begins."""
_LARGE_PLACES: Final = 8
_LARGE_EACH: Final = 2
_HEALTH: Final = "/api/v1/health/"


class Admission:
    """ASGI middleware. A request holds its place until its answer begins: streams hold none."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._places = Shares(_PLACES, _PLACES_EACH)
        self._large = Shares(_LARGE_PLACES, _LARGE_EACH)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith(_HEALTH):
            await self._app(scope, receive, send)
            return
        if not bodies.has_body(scope):
            await self._go_on(scope, receive, send)
            return
        try:
            await self._with_body(scope, receive, send)
        except bodies.Gone:
            return
        except ApiError as refused:
            # Nobody reads the rest of that body.
            response = answer(refused)
            response.headers["Connection"] = "close"
            await response(scope, receive, send)

    async def _with_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        limit = self._limit(scope)
        declared = bodies.declared_bytes(scope)
        bodies.refuse_over(declared or 0, limit)
        body, all_came = b"", False
        if declared is None or declared <= _LARGE_BYTES:
            body, all_came = await bodies.taken(receive, min(_LARGE_BYTES, limit))
            bodies.refuse_over(len(body), limit)
        if all_came:
            await self._go_on(scope, bodies.replayed(body, receive), send)
            return
        give_back = await self._large.take(await self._known(scope))
        try:
            body, _ = await bodies.taken(receive, limit, body)
            bodies.refuse_over(len(body), limit)
            await self._go_on(scope, bodies.replayed(body, receive), send)
        finally:
            give_back()

    async def _known(self, scope: Scope) -> Hashable:
        """Who sends a large body. Raises NotSignedIn, NotAllowed."""
        request = Request(scope)
        give_back = await self._places.take(_asker(request))
        try:
            who = await run_in_threadpool(identify, request, self._settings)
        finally:
            give_back()
        if who is None:
            raise NotSignedIn(f"sign in before you send more than {_LARGE_BYTES} bytes")
        return who.user_id

    async def _go_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        give_back = await self._places.take(_asker(Request(scope)))

        async def noticed(message: Message) -> None:
            if message["type"] == "http.response.start":
                give_back()
            await send(message)

        try:
            await self._app(scope, receive, noticed)
        finally:
            give_back()

    def _limit(self, scope: Scope) -> int:
        is_file = scope["method"] == "PUT" and "/files/" in scope["path"]
        return self._settings.max_file_bytes if is_file else self._settings.max_body_bytes


def _asker(request: Request) -> Hashable:
    """By what they show, which is not yet known to be good, or else by address."""
    shown = request.headers.get("authorization") or request.cookies.get(COOKIE)
    return digest(shown) if shown else request.client.host if request.client else None
