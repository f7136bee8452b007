"""Where a worker's tasks come from: claims, for as long as there is room for what they leave.

As many are claimed at once as the worker begins in a moment; where it turns out to be slower than
it was, what it has not begun is taken back, for others.
"""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections import deque
from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session, sessionmaker
from weir_engine.states import History
from weir_engine.task import Task

from weir_orchestrator.work import disk_space, lease
from weir_orchestrator.work.batch import Batch
from weir_orchestrator.work.claim import Claim, claim
from weir_orchestrator.work.front import Front
from weir_orchestrator.work.kernels import Kernels
from weir_orchestrator.work.pace import Pace

__all__ = ["Source"]

_IDLE_S: Final = 0.5
"""Between two looks into the queue while nothing is in it."""
_AFTER_ERROR_S: Final = 2.0
_IDLE_ENDS_S: Final = 2.0
"""A batch is over when for so long there was nothing to claim and nothing held."""
_MOMENTS_HELD: Final = 4
_LONGEST_AHEAD_S: Final = 2.0
"""What was claimed and is not begun by then may be begun sooner by another worker."""
_log = logging.getLogger(__name__)


class Source:
    """Claimed runs by key, and tasks of new ones. Safe to use from several threads."""

    def __init__(
        self,
        sessions: sessionmaker[Session],
        worker_id: uuid.UUID,
        kernels: Kernels,
        lease: timedelta,
        at_most: int,
        batch: Batch,
        scratch: Path,
        alone: timedelta,
        pace: Pace,
    ) -> None:
        """at_most: runs that may be held at once, with those that are not kept yet; more by a
        worker that begins several in a moment.

        scratch: the folder where runs are carried out. alone: for how long runs are handed out
        one at a time after one found the disk full. pace: told of the runs that are begun.
        """
        self._sessions = sessions
        self._worker_id = worker_id
        self._kernels = kernels
        self._lease = lease
        self._at_most = at_most
        self._batch = batch
        self._scratch = scratch
        self._alone_s = alone.total_seconds()
        self._claimed = 0
        self._idle_since: float | None = None
        self._held: dict[str, Claim] = {}
        self._ahead: deque[Claim] = deque()
        self._ahead_since = 0.0
        self._pace = pace
        self._front = Front()
        self._written: set[str] = set()
        self._lock = threading.Lock()
        self._in_doubt = False
        self._not_before = 0.0
        self._alone = False
        self._alone_until = 0.0
        self._only: str | None = None

    def tasks(self) -> Iterator[Task | None]:
        """None while there is nothing to do, or too much that is not finished yet. Ends with the
        worker's batch."""
        while not self.exhausted():
            yield self._next()

    def exhausted(self) -> bool:
        """Whether the batch is over: all its runs were claimed, or none was left for a while."""
        if self._ahead:
            return False
        if self._batch.at_most is not None and self._claimed >= self._batch.at_most:
            return True
        if not self._batch.until_idle or self._idle_since is None or self._held:
            return False
        return time.monotonic() - self._idle_since >= _IDLE_ENDS_S

    def held(self) -> dict[str, Claim]:
        with self._lock:
            return dict(self._held)

    def let_go(self, key: str) -> None:
        """A claim was finished or given back."""
        with self._lock:
            self._held.pop(key, None)
            self._written.discard(key)
            for claim in [claim for claim in self._ahead if claim.key == key]:
                self._ahead.remove(claim)
        # The team's quota may have room again.
        if self._idle_since is not None:
            self._not_before = 0.0

    def take_back(
        self, unwanted: Collection[str], after_s: float = _LONGEST_AHEAD_S
    ) -> list[Claim]:
        """Claims that were not begun, and from now on will not be: of keys that nobody wants, and
        all of them where they have waited for so long. They are to be given back."""
        with self._lock:
            late = time.monotonic() - self._ahead_since > after_s
            taken = [claim for claim in self._ahead if late or claim.key in unwanted]
            for claim in taken:
                self._ahead.remove(claim)
                del self._held[claim.key]
            self._claimed -= len(taken)
        return taken

    def is_last(self, ended: Claim) -> bool:
        """Note that a claim's end is written; False while another run of its campaign is held
        whose end is not."""
        with self._lock:
            self._written.add(ended.key)
            return all(
                claim.campaign_id != ended.campaign_id
                for key, claim in self._held.items()
                if key not in self._written
            )

    def problem(self) -> str:
        """Why nothing is claimed now; empty where nothing keeps it."""
        return disk_space.too_little(self._scratch)

    def one_at_a_time(self) -> None:
        """The disk was full: for a while, claim nothing as long as a run is held."""
        self._alone_until = time.monotonic() + self._alone_s
        self._alone = True

    def was_alone(self, key: str) -> bool:
        """Whether no other run was held at any time since this one was claimed."""
        return self._only == key

    def _room(self) -> int:
        """How many runs may be claimed now."""
        if self.problem():
            return 0
        held, at_once = len(self._held), self._pace.at_once()
        if not held:
            self._alone = time.monotonic() < self._alone_until
        if self._alone:
            return 1 - held
        # Of those that are begun in a moment, some wait to be begun, and some to be kept.
        room = min(self._at_most + _MOMENTS_HELD * (at_once - 1) - held, at_once)
        if self._batch.at_most is not None:
            room = min(room, self._batch.at_most - self._claimed)
        return room

    def _next(self) -> Task | None:
        if not self._ahead:
            self._claim_ahead()
        with self._lock:
            found = self._ahead.popleft() if self._ahead and not self.problem() else None
        if found is None:
            return None
        self._pace.begin()
        return Task(
            key=found.key,
            campaign=found.campaign,
            levels=found.levels,
            replicate=found.replicate,
            seed=found.seed,
            experiment=found.experiment,
            replaces=found.replaces,
            history=_history(found),
            kernel=self._kernels.get(found.kernel_hash),
        )

    def _claim_ahead(self) -> None:
        if time.monotonic() < self._not_before or (room := self._room()) <= 0:
            return
        began_s = time.monotonic()
        try:
            found = self._claim(room)
        except DBAPIError as error:
            _log.warning("no claim: %s", error.orig)
            self._not_before = time.monotonic() + _AFTER_ERROR_S
            self._idle_since = None
            self._in_doubt = True
            return
        if not found:
            self._not_before = time.monotonic() + _IDLE_S
            if self._idle_since is None or self._held:
                self._idle_since = time.monotonic()
            return
        self._idle_since = None
        self._pace.claimed(time.monotonic() - began_s)
        with self._lock:
            self._only = None if self._held or len(found) > 1 else found[0].key
            self._claimed += len(found)
            self._held.update((each.key, each) for each in found)
            self._ahead.extend(found)
            self._ahead_since = time.monotonic()

    def _claim(self, at_most: int) -> list[Claim]:
        held = self.held().keys()
        if self._in_doubt:
            with self._sessions.begin() as session:
                lease.give_back_others(session, self._worker_id, held)
            self._in_doubt = False
        versions = replace(self._kernels.versions(), campaign=self._batch.campaign)
        with self._sessions.begin() as session:
            found = claim(session, self._worker_id, versions, self._lease, at_most, self._front)
            # Given back or lost a moment ago: what its last try left is not removed yet.
            if held & {each.key for each in found}:
                session.rollback()
                return []
        return found


def _history(found: Claim) -> History:
    moment: datetime = found.queued_at.astimezone(UTC)
    at = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return [{"state": "pending", "at": at}, {"state": "queued", "at": at}]
