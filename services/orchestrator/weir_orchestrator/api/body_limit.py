"""Requests whose body is too large are refused before it is read into memory."""

from __future__ import annotations

import contextlib

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from weir_orchestrator.api.problems import answer
from weir_orchestrator.errors import TooLarge
from weir_orchestrator.settings import Settings

__all__ = ["BodyLimit"]


class _TooMuch(Exception):
    pass


class BodyLimit:
    """ASGI middleware; files have a limit of their own."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit = self._limit(scope)
        declared = Headers(scope=scope).get("content-length", "0")
        if declared.isdecimal() and int(declared) > limit:
            await _refuse(limit)(scope, receive, send)
            return
        read, over, started = 0, False, False

        async def counted() -> Message:
            nonlocal read, over
            message = await receive()
            read += len(message.get("body", b""))
            if read > limit:
                over = True
                raise _TooMuch
            return message

        async def held_back(message: Message) -> None:
            # What the application makes of the broken-off body is not the answer.
            nonlocal started
            if not over or started:
                started = True
                await send(message)

        with contextlib.suppress(_TooMuch):
            await self._app(scope, counted, held_back)
        if over and not started:
            await _refuse(limit)(scope, receive, send)

    def _limit(self, scope: Scope) -> int:
        is_file = scope["method"] == "PUT" and "/files/" in scope["path"]
        return self._settings.max_file_bytes if is_file else self._settings.max_body_bytes


def _refuse(limit: int) -> ASGIApp:
    return answer(TooLarge(f"at most {limit} bytes are taken here"))
