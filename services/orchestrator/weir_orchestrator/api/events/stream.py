"""A watcher's stream: what it missed, then what happens, for as long as it may watch."""

from __future__ import annotations

import asyncio
import json
import random
import time
import uuid
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

import anyio
from sqlalchemy import ColumnElement, func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session, sessionmaker
from sse_starlette.event import ServerSentEvent

from weir_orchestrator.api.events.feed import Feed, Message, Watcher, message
from weir_orchestrator.db import Event
from weir_orchestrator.errors import ApiError

__all__ = ["Stream"]

_TICK_S: Final = 1.0
"""Within which the server's end is noticed."""
_PAGE: Final = 500


class Stream:
    """Bytes of server-sent events for one watcher of a team or a campaign.

    which: its events in the database; topic: its team or campaign. user: who watches.
    kinds: empty is all. check: raises ApiError where the watcher may watch no more. stopping: the
    server is to end.
    """

    def __init__(
        self,
        feed: Feed,
        sessions: sessionmaker[Session],
        topic: uuid.UUID,
        user: uuid.UUID | None,
        which: ColumnElement[bool],
        kinds: frozenset[str],
        check: Callable[[], None],
        for_s: float,
        stopping: anyio.Event,
    ) -> None:
        self._feed = feed
        self._limits = feed.limits
        self._sessions = sessions
        self._topic = topic
        self._user = user
        self._which = which
        self._kinds = kinds
        self._check = check
        self._stopping = stopping
        self._until = time.monotonic() + for_s
        # All come at once when the server was started anew; they are not all looked up at once.
        self._checked = time.monotonic() - random.uniform(0, self._limits.check_s)

    async def events(self, after: int | None) -> AsyncIterator[bytes]:
        """From after an id on, or from now on: first `open`, then all that happened."""
        with self._feed.watching(self._topic, self._user) as watcher:
            await self._feed.started()
            # Nothing is awaited between these two: what is not in the database up to here will
            # be offered to the watcher.
            watcher.waiting.clear()
            here = self._feed.position
            last = here if after is None else after
            yield _wire("open", {}, last)
            async for missed in self._missed(last, here):
                yield missed
            last = max(last, here)
            async for chunk in self._live(watcher, last):
                yield chunk

    async def _live(self, watcher: Watcher, last: int) -> AsyncIterator[bytes]:
        while not self._stopping.is_set() and (left_s := self._until - time.monotonic()) > 0:
            new = await watcher.take(min(left_s, self._limits.check_s, _TICK_S))
            if watcher.lags:
                watcher.lags, here = False, self._feed.position
                async for missed in self._missed(last, here, lagging=True):
                    yield missed
                last = max(last, here)
            else:
                wanted = [each for each in new if each.id > last]
                last = new[-1].id if wanted else last
                if chunk := b"".join(each.wire for each in wanted if self._wants(each)):
                    yield chunk
            if (refused := await self._refusal()) is not None:
                yield _wire("closed", {"reason": refused}, last)
                return

    async def _missed(
        self, after: int, until: int, *, lagging: bool = False
    ) -> AsyncIterator[bytes]:
        """What happened in between, from the database, or `lagged` alone where it is too much."""
        if after >= until:
            return
        too_many = await asyncio.to_thread(self._are_too_many, after, until)
        if too_many or lagging:
            yield _wire("lagged", {"missed": too_many}, until if too_many else after)
        while (
            not too_many
            and after < until
            and (page := await asyncio.to_thread(self._page, after, until))
        ):
            after = page[-1].id
            yield b"".join(each.wire for each in page)

    def _are_too_many(self, after: int, until: int) -> bool:
        """Whether there are more than are sent after the fact, or some were removed already."""
        with self._sessions() as session:
            some = (
                select(Event.id).where(self._between(after, until)).limit(self._limits.catch_up + 1)
            )
            number = session.scalar(select(func.count()).select_from(some.subquery())) or 0
            if number > self._limits.catch_up:
                return True
            oldest = session.scalar(select(func.min(Event.id)))
            return oldest is None or oldest > after + 1

    def _page(self, after: int, until: int) -> list[Message]:
        query = select(Event).where(self._between(after, until)).order_by(Event.id).limit(_PAGE)
        with self._sessions() as session:
            return [message(event) for event in session.scalars(query)]

    def _between(self, after: int, until: int) -> ColumnElement[bool]:
        here = self._which & (Event.id > after) & (Event.id <= until)
        return here & Event.kind.in_(self._kinds) if self._kinds else here

    def _wants(self, new: Message) -> bool:
        return not self._kinds or new.kind in self._kinds

    async def _refusal(self) -> str | None:
        if time.monotonic() - self._checked < self._limits.check_s:
            return None
        try:
            await asyncio.to_thread(self._check)
        except ApiError as refused:
            return refused.detail
        except SQLAlchemyError:
            return None
        self._checked = time.monotonic()
        return None


def _wire(kind: str, content: dict[str, Any], last: int) -> bytes:
    return ServerSentEvent(json.dumps(content), event=kind, id=str(last)).encode()
