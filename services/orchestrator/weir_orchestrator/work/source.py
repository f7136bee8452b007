"""Where a worker's tasks come from: claims, for as long as there is room for what they leave."""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Iterator
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
from weir_orchestrator.work.kernels import Kernels

__all__ = ["Source"]

_IDLE_S: Final = 0.5
"""Between two looks into the queue while nothing is in it."""
_AFTER_ERROR_S: Final = 2.0
_IDLE_ENDS_S: Final = 2.0
"""A batch is over when for so long there was nothing to claim and nothing held."""
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
    ) -> None:
        """at_most: runs that may be held at once, with those that are not kept yet.

        scratch: the folder where runs are carried out. alone: for how long runs are handed out
        one at a time after one found the disk full.
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
        # The team's quota may have room again.
        if self._idle_since is not None:
            self._not_before = 0.0

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

    def _may_claim(self) -> bool:
        held = len(self._held)
        if not held:
            self._alone = time.monotonic() < self._alone_until
        return held < (1 if self._alone else self._at_most) and not self.problem()

    def _next(self) -> Task | None:
        if time.monotonic() < self._not_before or not self._may_claim():
            return None
        try:
            found = self._claim()
        except DBAPIError as error:
            _log.warning("no claim: %s", error.orig)
            self._not_before = time.monotonic() + _AFTER_ERROR_S
            self._idle_since = None
            self._in_doubt = True
            return None
        if found is None:
            self._not_before = time.monotonic() + _IDLE_S
            if self._idle_since is None or self._held:
                self._idle_since = time.monotonic()
            return None
        self._idle_since = None
        self._claimed += 1
        with self._lock:
            self._only = None if self._held else found.key
            self._held[found.key] = found
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

    def _claim(self) -> Claim | None:
        held = self.held().keys()
        if self._in_doubt:
            with self._sessions.begin() as session:
                lease.give_back_others(session, self._worker_id, held)
            self._in_doubt = False
        versions = replace(self._kernels.versions(), campaign=self._batch.campaign)
        with self._sessions.begin() as session:
            found = claim(session, self._worker_id, versions, self._lease)
            # Given back or lost a moment ago: what its last try left is not removed yet.
            if found is not None and found.key in held:
                session.rollback()
                return None
        return found


def _history(found: Claim) -> History:
    moment: datetime = found.queued_at.astimezone(UTC)
    at = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return [{"state": "pending", "at": at}, {"state": "queued", "at": at}]
