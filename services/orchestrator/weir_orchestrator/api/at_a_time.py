"""How many requests are worked on at a time; the others wait in line.

A request may hold a database connection while it waits for a thread to go on in. With more
requests than connections, those that have a thread would wait for connections of those that wait
for a thread.
"""

from __future__ import annotations

import asyncio
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["AT_A_TIME", "AtATime"]

AT_A_TIME: Final = 32
"""Fewer than connections (weir_orchestrator.db.engine: 40) and threads (Starlette's: 40)."""


class AtATime:
    """ASGI middleware. A request counts until its answer begins: streams do not count."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._free = asyncio.Semaphore(AT_A_TIME)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        counts = True

        def let_go() -> None:
            nonlocal counts
            if counts:
                counts = False
                self._free.release()

        async def noticed(message: Message) -> None:
            if message["type"] == "http.response.start":
                let_go()
            await send(message)

        await self._free.acquire()
        try:
            await self._app(scope, receive, noticed)
        finally:
            let_go()
