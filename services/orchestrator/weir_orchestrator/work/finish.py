"""What becomes of a run that was carried out: first its files, then one transaction.

Files are stored before the database speaks of them, so a result always has its run directory.
Whoever lost the lease on the way leaves everything to the worker that has it now.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from sqlalchemy import ColumnElement, case, delete, select, update
from sqlalchemy.orm import Session, sessionmaker
from weir_engine import jsonfile
from weir_engine.row import digest

from weir_orchestrator.db import Certificate, Lease, Result, Run, singly
from weir_orchestrator.db.dialect import clock, insert
from weir_orchestrator.lifecycle import end_runs, settle_if_over, table
from weir_orchestrator.objects import ObjectStore, failed_prefix, put_folder, run_prefix
from weir_orchestrator.recorded import RunFiles
from weir_orchestrator.work.certify import differing_files
from weir_orchestrator.work.claim import Claim
from weir_orchestrator.work.lease import renew
from weir_orchestrator.work.metric_rows import remove_values, store_values

__all__ = ["Finisher"]

_DIFFERENT: Final = "carried out again, other bytes than those stored: "
_NOT_STORED: Final = "carried out again, but what is stored of it is gone: nothing to compare with"


@dataclass(frozen=True)
class Finisher:
    """Ends runs on behalf of a worker. Safe to share between threads.

    All give False where the lease was lost; they raise StoreUnavailable and SQLAlchemy's
    errors, and may then be called again.

    is_last: told of a claim whose end is written, it says whether that may be the last one of its
    campaign. Where it is not, nobody need ask the database whether the campaign is over.
    """

    sessions: sessionmaker[Session]
    objects: ObjectStore
    worker_id: uuid.UUID
    lease: timedelta
    is_last: Callable[[Claim], bool] = lambda claim: True
    _metric_ids: dict[str, int] = field(default_factory=dict, init=False)

    def succeed(self, claim: Claim, folder: Path, outcome: str, reason: str, wall_s: float) -> bool:
        """Store a run directory, and its result for every run that waits for this key.

        outcome: succeeded or invalid.
        """
        if not self._holds(claim):
            return False
        size_bytes = put_folder(self.objects, run_prefix(claim.key), folder, new=not claim.replaces)
        if claim.failed_before:
            self.objects.delete_prefix(failed_prefix(claim.key))
        metrics = jsonfile.read(folder / "metrics.json")
        found = {
            "outcome": outcome,
            "reason": reason,
            "size_bytes": size_bytes,
            "film_s": float(claim.experiment["duration_s"]),
            "wall_s": wall_s,
            "metrics": metrics,
            "digest": digest(metrics),
            "history": jsonfile.read(folder / "host.json")["history"],
        }
        # An invalid run that was done again: its result is that of whoever shares it.
        by = table.REPLACE if claim.replaces else table.SUCCEED
        with self.sessions.begin() as session:
            result_id = _record(session, claim, found, self._metric_ids)
            campaigns = end_runs(
                session,
                (Run.key == claim.key) & ~Run.certifies,
                by,
                reason,
                outcome,
                result_id,
                wall_s=_of(claim, wall_s),
                replaces=False,
            )
            if not self._let_go(session, claim):
                session.rollback()
                return False
        self._end(claim, campaigns)
        return True

    def certify(self, claim: Claim, folder: Path, wall_s: float) -> bool:
        """Compare a run directory with the stored one of its key, which stays as it is.

        The run ends as the result that it has the bytes of, or fails, with its files as a failed
        run's.
        """
        if not self._holds(claim):
            return False
        stored = RunFiles(self.objects, run_prefix(claim.key))
        if not stored.listed():
            return self.fail(claim, None, _NOT_STORED, wall_s)
        differing = differing_files(stored, folder)
        if differing:
            put_folder(self.objects, failed_prefix(claim.key), folder)
        which = Run.id == claim.run_id
        with self.sessions.begin() as session:
            made = session.scalars(select(Result).where(Result.key == claim.key)).first()
            if made is None or differing:
                reason = _DIFFERENT + ", ".join(differing) if differing else _NOT_STORED
                campaigns = end_runs(session, which, table.FAIL, reason, wall_s=wall_s)
            else:
                ends = made.reason, made.outcome, made.id
                campaigns = end_runs(session, which, table.CERTIFY, *ends, wall_s=wall_s)
            if made is not None and campaigns:
                session.add(Certificate(run_id=claim.run_id, differing=differing))
            if not self._let_go(session, claim):
                session.rollback()
                return False
        self._end(claim, campaigns)
        return True

    def fail(self, claim: Claim, folder: Path | None, reason: str, wall_s: float) -> bool:
        """Store the logs of a failed run; it, and what shares its key in its campaign, failed."""
        if not self._holds(claim):
            return False
        if folder is not None and (folder / "run.json").is_file():
            put_folder(self.objects, failed_prefix(claim.key), folder)
        with self.sessions.begin() as session:
            here = (Run.key == claim.key) & (Run.campaign_id == claim.campaign_id)
            wall = _of(claim, wall_s)
            campaigns = end_runs(session, here, table.FAIL, reason, wall_s=wall)
            if not self._let_go(session, claim):
                session.rollback()
                return False
        self._end(claim, campaigns)
        return True

    def _holds(self, claim: Claim) -> bool:
        with singly(self.sessions).begin() as session:
            return renew(session, self.worker_id, claim.key, self.lease)

    def _let_go(self, session: Session, claim: Claim) -> bool:
        mine = delete(Lease).where(Lease.key == claim.key, Lease.worker_id == self.worker_id)
        return session.execute(mine.returning(Lease.key)).first() is not None

    def _end(self, claim: Claim, campaigns: set[uuid.UUID]) -> None:
        if not self.is_last(claim):
            campaigns -= {claim.campaign_id}
        for campaign_id in campaigns:
            with self.sessions.begin() as session:
                settle_if_over(session, campaign_id)


def _of(claim: Claim, wall_s: float) -> ColumnElement[float | None]:
    """The wall time of the run that was carried out; others of its key took none."""
    return case((Run.id == claim.run_id, wall_s), else_=Run.wall_s)


def _record(
    session: Session, claim: Claim, found: dict[str, Any], metric_ids: dict[str, int]
) -> int:
    """The id of the key's result, in place of an older one."""
    values = {**found, "finished_at": clock()}
    new = insert(session, Result).values(key=claim.key, team_id=claim.team_id, **values)
    result_id = session.scalars(new.on_conflict_do_nothing().returning(Result.id)).first()
    if result_id is None:
        older = update(Result).where(Result.key == claim.key).values(**values)
        result_id = session.scalars(older.returning(Result.id)).one()
        remove_values(session, result_id)
    store_values(session, result_id, found["metrics"], metric_ids)
    return result_id
