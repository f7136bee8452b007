"""A request's body is taken whole, within its size and in time, before the request goes on.

A body that came in part would else hold a thread, a place or a connection of the database for as
long as its sender likes.
"""

from __future__ import annotations

import asyncio
from typing import Final

from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope

from weir_orchestrator.errors import TooLarge, TooSlow

__all__ = ["PATIENCE_S", "SLOWEST_BPS", "Gone", "declared_bytes", "has_body", "replayed", "taken"]

PATIENCE_S: Final = 10.0
SLOWEST_BPS: Final = 128_000
"""A body has PATIENCE_S, and the time that what has come of it takes at this rate."""


class Gone(Exception):
    """Who asked went away before the body had come."""


def has_body(scope: Scope) -> bool:
    """Whether a body comes (RFC 9112 section 6.3)."""
    headers = Headers(scope=scope)
    return headers.get("content-length", "0") != "0" or "transfer-encoding" in headers


def declared_bytes(scope: Scope) -> int | None:
    """Its length as the head says; None of chunks."""
    declared = Headers(scope=scope).get("content-length", "")
    return int(declared) if declared.isdecimal() else None


async def taken(receive: Receive, at_most_bytes: int, before: bytes = b"") -> tuple[bytes, bool]:
    """What came, `before` first, and whether that is all: it ends once it is over `at_most_bytes`.

    Raises TooSlow, Gone.
    """
    loop = asyncio.get_running_loop()
    began = loop.time()
    parts, size = [before], len(before)
    while size <= at_most_bytes:
        until = began + PATIENCE_S + (size - len(before)) * 8 / SLOWEST_BPS
        try:
            async with asyncio.timeout_at(until):
                message = await receive()
        except TimeoutError:
            raise TooSlow(
                f"of the body {size} bytes came; it has {PATIENCE_S:.0f} s and must come at "
                f"{SLOWEST_BPS // 1000} kbit/s or faster"
            ) from None
        if message["type"] != "http.request":
            raise Gone
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if not message.get("more_body", False):
            return b"".join(parts), True
    return b"".join(parts), False


def replayed(body: bytes, receive: Receive) -> Receive:
    """`receive` of a request whose body was taken."""
    left: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return left.pop() if left else await receive()

    return again


def refuse_over(size: int, limit: int) -> None:
    """Raises TooLarge."""
    if size > limit:
        raise TooLarge(f"at most {limit} bytes are taken here")
