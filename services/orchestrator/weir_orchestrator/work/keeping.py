"""What becomes of the claims of runs that ended: kept together, and where that fails one by one.

While database or store are away, what ended waits, in turn: what one run alone cannot have keeps
none of the others from being kept.
"""

from __future__ import annotations

import logging
import shutil
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from sqlalchemy.orm import Session, sessionmaker
from weir_engine.states import FINISHED
from weir_engine.store import Store
from weir_engine.task import RunUpdate

from weir_orchestrator.work import disk_space, lease
from weir_orchestrator.work.away import AWAY, LONGEST_WAIT_S, said
from weir_orchestrator.work.claim import Claim
from weir_orchestrator.work.finish import Finisher
from weir_orchestrator.work.kernels import Kernels
from weir_orchestrator.work.run_files import Ended
from weir_orchestrator.work.source import Source

__all__ = ["Keeper"]

_FIRST_WAIT_S: Final = 0.1
_log = logging.getLogger(__name__)


class Keeper:
    """Keeps runs that ended on behalf of a worker. Safe to share between threads."""

    def __init__(
        self,
        sessions: sessionmaker[Session],
        finisher: Finisher,
        source: Source,
        scratch: Store,
        kernels: Kernels,
        max_attempts: int,
        given_up: Callable[[], bool],
    ) -> None:
        """max_attempts: of a run whose process is killed or that finds the disk full.

        given_up: whether what cannot be kept now is left to the worker's end.
        """
        self._sessions, self._finisher, self._source = sessions, finisher, source
        self._scratch, self._kernels = scratch, kernels
        self._max_attempts = max_attempts
        self._given_up = given_up

    def keep(self, events: Sequence[RunUpdate]) -> None:
        """End the claims of runs that ended, each by what became of it."""
        held = self._source.held()
        claims = {event.task.key: held.get(event.task.key) for event in events}
        for event in events:
            if claims[event.task.key] is None:
                self._forget(event.task.key)
        known = [(claim, event) for event in events if (claim := claims[event.task.key])]
        left = deque(known if len(known) == 1 else self._together(known))
        wait_s = _FIRST_WAIT_S
        while left:
            claim, event = left.popleft()
            try:
                self._end(claim, event)
            except AWAY as error:
                _log.warning("run %s waits to be kept: %s", claim.key, said(error))
                left.append((claim, event))
                if self._given_up():
                    return
                time.sleep(wait_s)
                wait_s = min(2 * wait_s, LONGEST_WAIT_S)
            except Exception as error:
                if event.state == "failed":
                    _log.exception("run %s cannot be ended", claim.key)
                    self._forget(claim.key)
                    continue
                _log.exception("run %s cannot be kept", claim.key)
                reason = f"its result could not be kept: {type(error).__name__}: {error}"
                left.appendleft((claim, RunUpdate(event.task, "failed", reason, event.wall_s)))
            else:
                self._forget(claim.key)
                wait_s = _FIRST_WAIT_S

    def _together(self, known: Sequence[tuple[Claim, RunUpdate]]) -> list[tuple[Claim, RunUpdate]]:
        """Keep at once those that have results; what is left, all of them where that failed."""
        good = [each for each in known if _has_result(*each)]
        if not good:
            return list(known)
        try:
            self._finisher.succeed([self._ended(claim, event) for claim, event in good])
        except Exception as error:
            _log.warning("%d runs are kept one by one: %s", len(good), said(error))
            return list(known)
        for claim, _ in good:
            self._forget(claim.key)
        return [each for each in known if not _has_result(*each)]

    def _end(self, claim: Claim, event: RunUpdate) -> None:
        alone = event.disk_full and self._source.was_alone(claim.key)
        if _has_result(claim, event):
            self._finisher.succeed([self._ended(claim, event)])
        elif event.state in FINISHED:
            self._finisher.certify(claim, self._scratch.run_path(claim.key), event.wall_s)
        elif event.state == "cancelled" or (event.disk_full and not alone):
            self.give_back(claim)
        elif (alone or event.lost) and claim.attempts < self._max_attempts:
            # Its kernel may have been pruned meanwhile: then it is built before the next try.
            self._kernels.refresh()
            self.give_back(claim, tried=True)
        else:
            reason = event.reason
            if alone:
                reason = disk_space.filled_alone(self._scratch.root, reason)
            failed = self._scratch.failed_path(claim.key)
            self._finisher.fail(claim, failed, reason, event.wall_s)

    def give_back(self, claim: Claim, *, tried: bool = False) -> None:
        """Let another worker have it; tried: it counts as an attempt."""
        with self._sessions.begin() as session:
            worker_id = self._finisher.worker_id
            lease.give_back(session, worker_id, claim.run_id, claim.key, tried=tried)

    def _ended(self, claim: Claim, event: RunUpdate) -> Ended:
        folder = self._scratch.run_path(claim.key)
        return Ended(claim, folder, event.state, event.reason, event.wall_s)

    def _forget(self, key: str) -> None:
        for folder in (self._scratch.run_path(key), self._scratch.failed_path(key)):
            shutil.rmtree(folder, ignore_errors=True)
        self._source.let_go(key)


def _has_result(claim: Claim, event: RunUpdate) -> bool:
    return event.state in FINISHED and not claim.certifies
