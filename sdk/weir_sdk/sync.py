"""Carrying calls and procedures out, one after the other."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Self, TypeVar

import httpx2
import tenacity
from httpx2 import EventSource

from weir_sdk import events, parts, retry
from weir_sdk.call import Call, Page, Pause, Procedure, Save, Step
from weir_sdk.errors import ClientError, lost, of_answer
from weir_sdk.events import Event, Resuming

__all__ = ["Sender"]

T = TypeVar("T")


class Sender:
    """Sends requests to one server; what may be sent twice is, when something gets in the way."""

    def __init__(
        self, url: str, token: str | None = None, tries: int = 5, timeout_s: float = 30.0
    ) -> None:
        self.url = parts.server_url(url)
        self.tries = tries
        self._http = httpx2.Client(**parts.options(self.url, token, timeout_s))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def send(self, call: Call[T]) -> T:
        """The answer of one call. Raises ClientError."""
        return self._again(call, lambda: self._once(call))

    def go(self, procedure: Procedure[T]) -> T:
        """The result of a procedure. Raises ClientError."""
        came = None
        while True:
            try:
                step = procedure.send(came)
            except StopIteration as end:
                result: T = end.value
                return result
            came = self._step(step)

    def all(self, call: Call[Page[T]]) -> Iterator[T]:
        """All items of a list, page after page as they are taken."""
        while True:
            page = self.send(call)
            yield from page.items
            if page.next is None:
                return
            call = call.following(page.next)

    def watch(self, resuming: Resuming) -> Iterator[Event]:
        """Events without end; broken connections are made again. Raises ClientError."""
        while True:
            error: ClientError | None = None
            try:
                with self._stream(resuming.call(), events.timeout(self._http.timeout)) as response:
                    for told in EventSource(response):
                        yield resuming.take(told)
            except ClientError as raised:
                error = raised
            time.sleep(resuming.pause_s(error, self.tries))

    def _step(self, step: Step) -> Any:
        if isinstance(step, Pause):
            time.sleep(step.seconds)
            return None
        if isinstance(step, Save):
            return self._again(step.call, lambda: self._save(step))
        return self.send(step)

    def _again(self, call: Call[Any], do: Callable[[], T]) -> T:
        return tenacity.Retrying(**retry.policy(call, self.tries))(do)

    def _once(self, call: Call[T]) -> T:
        with self._stream(call) as response:
            response.read()
            return call.answer(response)

    def _save(self, step: Save) -> None:
        with self._stream(step.call) as response, parts.appearing(step.path) as file:
            for chunk in response.iter_bytes():
                file.write(chunk)

    @contextmanager
    def _stream(
        self, call: Call[Any], timeout: httpx2.Timeout | None = None
    ) -> Iterator[httpx2.Response]:
        try:
            with self._http.stream(**parts.request(call, timeout)) as response:
                if not response.is_success:
                    response.read()
                    raise of_answer(response)
                yield response
        except httpx2.TransportError as error:
            raise lost(error, self.url) from error
