"""Carrying calls and procedures out on an event loop."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Self, TypeVar

import anyio
import httpx2
import tenacity
from httpx2 import EventSource

from weir_sdk import events, parts, retry
from weir_sdk.call import Call, Page, Pause, Procedure, Save, Step
from weir_sdk.errors import ClientError, lost, of_answer
from weir_sdk.events import Event, Resuming

__all__ = ["AsyncSender"]

T = TypeVar("T")


class AsyncSender:
    """As Sender, on an event loop (asyncio or trio)."""

    def __init__(
        self, url: str, token: str | None = None, tries: int = 5, timeout_s: float = 30.0
    ) -> None:
        self.url = parts.server_url(url)
        self.tries = tries
        self._http = httpx2.AsyncClient(**parts.options(self.url, token, timeout_s))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def send(self, call: Call[T]) -> T:
        """The answer of one call. Raises ClientError."""
        return await self._again(call, lambda: self._once(call))

    async def go(self, procedure: Procedure[T]) -> T:
        """The result of a procedure. Raises ClientError."""
        came = None
        while True:
            try:
                step = procedure.send(came)
            except StopIteration as end:
                result: T = end.value
                return result
            came = await self._step(step)

    async def all(self, call: Call[Page[T]]) -> AsyncIterator[T]:
        """All items of a list, page after page as they are taken."""
        while True:
            page = await self.send(call)
            for item in page.items:
                yield item
            if page.next is None:
                return
            call = call.following(page.next)

    async def watch(self, resuming: Resuming) -> AsyncIterator[Event]:
        """Events without end; broken connections are made again. Raises ClientError."""
        while True:
            error: ClientError | None = None
            timeout = events.timeout(self._http.timeout)
            try:
                async with self._stream(resuming.call(), timeout) as response:
                    async for told in EventSource(response):
                        yield resuming.take(told)
            except ClientError as raised:
                error = raised
            await anyio.sleep(resuming.pause_s(error, self.tries))

    async def _step(self, step: Step) -> Any:
        if isinstance(step, Pause):
            return await anyio.sleep(step.seconds)
        if isinstance(step, Save):
            return await self._again(step.call, lambda: self._save(step))
        return await self.send(step)

    async def _again(self, call: Call[Any], do: Callable[[], Awaitable[T]]) -> T:
        async for attempt in tenacity.AsyncRetrying(
            sleep=anyio.sleep, **retry.policy(call, self.tries)
        ):
            with attempt:
                return await do()
        raise AssertionError("tenacity ends by a result or an error")

    async def _once(self, call: Call[T]) -> T:
        async with self._stream(call) as response:
            await response.aread()
            return call.answer(response)

    async def _save(self, step: Save) -> None:
        async with self._stream(step.call) as response:
            with parts.appearing(step.path) as file:
                async for chunk in response.aiter_bytes():
                    await anyio.to_thread.run_sync(file.write, chunk)

    @asynccontextmanager
    async def _stream(
        self, call: Call[Any], timeout: httpx2.Timeout | None = None
    ) -> AsyncIterator[httpx2.Response]:
        try:
            async with self._http.stream(**parts.request(call, timeout)) as response:
                if not response.is_success:
                    await response.aread()
                    raise of_answer(response)
                yield response
        except httpx2.TransportError as error:
            raise lost(error, self.url) from error
