"""Live events: what a stream tells, and going on where it broke off."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import httpx2
from httpx2 import ServerSentEvent

from weir_sdk.call import Call, asked, nothing
from weir_sdk.errors import BadAnswer, ClientError, ConnectionLost, TooManyRequests, Unavailable
from weir_sdk.models import EventOut

__all__ = ["READ_TIMEOUT_S", "Event", "Resuming", "WatchEnded"]

READ_TIMEOUT_S: Final = 45.0
"""The server says something every 15 s: after three times of silence the connection is dead."""
_LONGEST_PAUSE_S: Final = 10.0
_OF_STREAM: Final = frozenset({"open", "lagged", "closed"})


class WatchEnded(ClientError):
    """One may no longer watch: signed out, or no longer of the team."""


@dataclass(frozen=True)
class Event:
    """kind: as in docs/platform.md. data: what that kind has.

    at, campaign: None for `open` and `lagged`, which are about the stream itself.
    """

    id: int
    kind: str
    data: dict[str, Any]
    at: datetime | None = None
    campaign: UUID | None = None


class Resuming:
    """A watch over several connections: each goes on after the last event that was told."""

    def __init__(self, where: str, kinds: Sequence[str] | None, after: int | None) -> None:
        self._where = where
        self._params = asked(kind=list(kinds or ()))
        self._last = after
        self._failures = 0

    def call(self) -> Call[None]:
        """The request of the next connection."""
        sent = {"Accept": "text/event-stream", "Cache-Control": "no-store"}
        if self._last is not None:
            sent["Last-Event-ID"] = str(self._last)
        return Call("GET", self._where, nothing, self._params, headers=sent)

    def take(self, told: ServerSentEvent) -> Event:
        """An event as it came. Raises WatchEnded, BadAnswer."""
        try:
            event = _event(told)
        except ValueError:
            raise BadAnswer(f"{self._where}: {told!r} is no event of Weir's") from None
        if event.kind == "closed":
            raise WatchEnded(str(event.data.get("reason", "the server ended the watch")))
        self._last = event.id
        self._failures = 0
        return event

    def pause_s(self, error: ClientError | None, tries: int) -> float:
        """How long to wait before connecting again after an end, or raises the error.

        tries: connections in a row that may fail.
        """
        if error is None:
            self._failures += 1
            return 0.0 if self._failures == 1 else self._back_off()
        if not isinstance(error, ConnectionLost | TooManyRequests | Unavailable):
            raise error
        self._failures += 1
        if self._failures >= tries:
            raise error
        return self._back_off()

    def _back_off(self) -> float:
        return float(min(0.25 * 2**self._failures, _LONGEST_PAUSE_S))


def _event(told: ServerSentEvent) -> Event:
    if told.event in _OF_STREAM:
        return Event(int(told.id), told.event, json.loads(told.data))
    found = EventOut.model_validate_json(told.data)
    return Event(found.id, found.kind, found.data, found.at, found.campaign)


def timeout(of: httpx2.Timeout) -> httpx2.Timeout:
    """For a stream's connection."""
    return httpx2.Timeout(of.connect, read=READ_TIMEOUT_S, write=of.write, pool=of.pool)
