"""What becomes of a run that was carried out: first its files, then one transaction.

Files are stored before the database speaks of them, so a result always has its run directory.
Whoever lost the lease on the way leaves everything to the worker that has it now.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session, sessionmaker

from weir_orchestrator import jsonfile
from weir_orchestrator.db import Lease, Result, Run
from weir_orchestrator.objects import ObjectStore, put_folder
from weir_orchestrator.work.claim import Claim
from weir_orchestrator.work.database import clock
from weir_orchestrator.work.ending import OPEN, end_campaign, end_runs
from weir_orchestrator.work.lease import renew
from weir_orchestrator.work.metric_rows import remove_values, store_values

__all__ = ["FAILED", "Finisher", "failed_prefix", "run_prefix"]

FAILED: Final = "failed"
"""Where the object store has the logs of failed runs."""


def run_prefix(key: str) -> str:
    """Where the run directory of a finished key is in the object store."""
    return f"runs/{key[:2]}/{key}"


def failed_prefix(key: str) -> str:
    """Where run.json, host.json and log.txt of a failed key are."""
    return f"{FAILED}/{key}"


@dataclass(frozen=True)
class Finisher:
    """Ends runs on behalf of a worker. Safe to share between threads.

    Both methods give False where the lease was lost; they raise StoreUnavailable and SQLAlchemy's
    errors, and may then be called again.
    """

    sessions: sessionmaker[Session]
    objects: ObjectStore
    worker_id: uuid.UUID
    lease: timedelta

    def succeed(self, claim: Claim, folder: Path, outcome: str, reason: str, wall_s: float) -> bool:
        """Store a run directory, and its result for every run that waits for this key.

        outcome: succeeded or invalid.
        """
        with self.sessions.begin() as session:
            if not renew(session, self.worker_id, claim.key, self.lease):
                return False
            failed_before = claim.attempts > 1 or _has_failed(session, claim.key)
        size_bytes = put_folder(self.objects, run_prefix(claim.key), folder)
        if failed_before:
            self.objects.delete_prefix(failed_prefix(claim.key))
        found = {
            "outcome": outcome,
            "reason": reason,
            "size_bytes": size_bytes,
            "film_s": float(claim.experiment["duration_s"]),
            "wall_s": wall_s,
            "metrics": jsonfile.read(folder / "metrics.json"),
            "history": jsonfile.read(folder / "host.json")["history"],
        }
        # An invalid run that was done again: its result is that of whoever shares it.
        states = (*OPEN, "invalid") if claim.replaces else OPEN
        with self.sessions.begin() as session:
            result_id = _record(session, claim, found)
            campaigns = end_runs(session, Run.key == claim.key, states, outcome, reason, result_id)
            mine = update(Run).where(Run.id == claim.run_id).values(wall_s=wall_s, replaces=False)
            session.execute(mine)
            if not self._let_go(session, claim):
                session.rollback()
                return False
        self._end(campaigns)
        return True

    def fail(self, claim: Claim, folder: Path | None, reason: str, wall_s: float) -> bool:
        """Store the logs of a failed run; it, and what shares its key in its campaign, failed."""
        with self.sessions.begin() as session:
            if not renew(session, self.worker_id, claim.key, self.lease):
                return False
        if folder is not None and (folder / "run.json").is_file():
            put_folder(self.objects, failed_prefix(claim.key), folder)
        with self.sessions.begin() as session:
            here = (Run.key == claim.key) & (Run.campaign_id == claim.campaign_id)
            campaigns = end_runs(session, here, OPEN, "failed", reason)
            session.execute(update(Run).where(Run.id == claim.run_id).values(wall_s=wall_s))
            if not self._let_go(session, claim):
                session.rollback()
                return False
        self._end(campaigns)
        return True

    def _let_go(self, session: Session, claim: Claim) -> bool:
        mine = delete(Lease).where(Lease.key == claim.key, Lease.worker_id == self.worker_id)
        return session.execute(mine.returning(Lease.key)).first() is not None

    def _end(self, campaigns: set[uuid.UUID]) -> None:
        for campaign_id in campaigns:
            with self.sessions.begin() as session:
                end_campaign(session, campaign_id)


def _has_failed(session: Session, key: str) -> bool:
    failed = select(Run.id).where(Run.key == key, Run.state == "failed").limit(1)
    return session.scalars(failed).first() is not None


def _record(session: Session, claim: Claim, found: dict[str, Any]) -> int:
    result = session.scalars(select(Result).where(Result.key == claim.key)).first()
    is_new = result is None
    if result is None:
        result = Result(key=claim.key, team_id=claim.team_id)
        session.add(result)
    for name, value in found.items():
        setattr(result, name, value)
    result.finished_at = clock(session)
    session.flush()
    if not is_new:
        remove_values(session, result.id)
    store_values(session, result.id, found["metrics"])
    return result.id
