"""From the database to all who watch: one reader per process, and a bounded queue per watcher."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session, sessionmaker
from sse_starlette.event import ServerSentEvent

from weir_orchestrator.api.events.schemas import event_out
from weir_orchestrator.db import Event
from weir_orchestrator.errors import TooManyRequests
from weir_orchestrator.events import InOrder

__all__ = ["Feed", "Limits", "Message", "Watcher", "message"]

_POLL_S: Final = 0.25
_RETRY_AFTER_S: Final = 30
_GAP_S: Final = 0.05
_AFTER_ERROR_S: Final = 2.0
_AT_ONCE: Final = 1000
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Limits:
    """Of what is kept for watchers, and how often they are looked at.

    queue: messages that may wait for a watcher before it counts as lagging. catch_up: events that
    it is sent after the fact; who missed more asks for the state anew. check_s: between two looks
    whether it still may watch. streams_each: of one user at a time; browsers and programs of one
    person have far fewer open.
    """

    queue: int = 1000
    catch_up: int = 10_000
    check_s: float = 30.0
    streams_each: int = 256


@dataclass(frozen=True)
class Message:
    """An event, made into bytes once for all watchers. topics: its team and its campaign."""

    id: int
    kind: str
    topics: Collection[uuid.UUID | None]
    wire: bytes


def message(event: Event) -> Message:
    """An event as it is sent."""
    content = event_out(event).model_dump_json()
    wire = ServerSentEvent(content, event=event.kind, id=str(event.id)).encode()
    return Message(event.id, event.kind, (event.team_id, event.campaign_id), wire)


@dataclass(eq=False)
class Watcher:
    """Waiting messages of one topic, at most so many. lags: some were dropped for being more."""

    at_most: int
    waiting: deque[Message] = field(default_factory=deque)
    lags: bool = False
    _wake: asyncio.Event = field(default_factory=asyncio.Event)

    def offer(self, new: Message) -> None:
        if len(self.waiting) < self.at_most and not self.lags:
            self.waiting.append(new)
        else:
            self.lags = True
            self.waiting.clear()
        self._wake.set()

    async def take(self, timeout_s: float) -> list[Message]:
        """All that wait; at most after `timeout_s`, then perhaps none."""
        try:
            await asyncio.wait_for(self._wake.wait(), timeout_s)
        except TimeoutError:
            return []
        self._wake.clear()
        taken = list(self.waiting)
        self.waiting.clear()
        return taken


class Feed:
    """What happens from now on. For one event loop; reads only while somebody watches."""

    def __init__(self, sessions: sessionmaker[Session], limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._sessions = sessions
        self._watchers: dict[uuid.UUID, set[Watcher]] = defaultdict(set)
        self._watching: Counter[uuid.UUID | None] = Counter()
        self._task: asyncio.Task[None] | None = None
        self._started = asyncio.Event()
        self._position = 0

    @property
    def position(self) -> int:
        """The last event that was given to watchers; all up to it are in the database."""
        return self._position

    def require_room(self, user: uuid.UUID | None) -> None:
        """Raises TooManyRequests where a user has as many streams as one may have."""
        if self._watching[user] >= self.limits.streams_each:
            raise TooManyRequests(
                f"you have {self.limits.streams_each} streams of events open; close one",
                _RETRY_AFTER_S,
            )

    @contextmanager
    def watching(self, topic: uuid.UUID, user: uuid.UUID | None) -> Iterator[Watcher]:
        """A user's watcher of a team's or a campaign's events; see `started`."""
        watcher = Watcher(self.limits.queue)
        self._watching[user] += 1
        self._watchers[topic].add(watcher)
        if self._task is None or self._task.done():
            self._started.clear()
            self._task = asyncio.get_running_loop().create_task(self._run())
        try:
            yield watcher
        finally:
            self._watchers[topic].discard(watcher)
            if not self._watchers[topic]:
                del self._watchers[topic]
            self._watching[user] -= 1
            if not self._watching[user]:
                del self._watching[user]

    async def started(self) -> None:
        """Wait until nothing that is committed later will be left out."""
        await self._started.wait()

    async def _run(self) -> None:
        reader = InOrder(self._sessions)
        while self._watchers:
            try:
                found = await asyncio.to_thread(_read, reader)
            except SQLAlchemyError as error:
                _log.warning("no events can be read: %s", type(error).__name__)
                await asyncio.sleep(_AFTER_ERROR_S)
                continue
            for each in found:
                self._give(each)
            if reader.position is not None:
                self._position = reader.position
                self._started.set()
            if len(found) < _AT_ONCE:
                await asyncio.sleep(_GAP_S if reader.waits else _POLL_S)

    def _give(self, new: Message) -> None:
        for topic in new.topics:
            if topic is not None:
                for watcher in self._watchers.get(topic, ()):
                    watcher.offer(new)


def _read(reader: InOrder) -> list[Message]:
    return [message(event) for event in reader.read(_AT_ONCE)]
