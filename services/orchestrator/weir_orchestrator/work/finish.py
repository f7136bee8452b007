"""What becomes of runs that were carried out: first their files, then one transaction.

Files are stored before the database speaks of them, so a result always has its run directory.
Runs that end together are written together. Whoever lost a lease on the way leaves the run to the
worker that has it now.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from sqlalchemy import ColumnElement, case, select
from sqlalchemy.orm import Session, sessionmaker
from weir_engine import jsonfile
from weir_engine.row import digest

from weir_orchestrator.db import Certificate, Result, Run, singly
from weir_orchestrator.lifecycle import (
    Ending,
    end_runs,
    end_with_results,
    settle_if_over,
    table,
)
from weir_orchestrator.objects import ObjectStore, failed_prefix, put_folder
from weir_orchestrator.recorded import files_of_key
from weir_orchestrator.work import lease
from weir_orchestrator.work.certify import differing_files
from weir_orchestrator.work.claim import Claim
from weir_orchestrator.work.results import store_results
from weir_orchestrator.work.run_files import Ended, Stored, hold_pack, store_files

__all__ = ["Finisher"]

_DIFFERENT: Final = "carried out again, other bytes than those stored: "
_NOT_STORED: Final = "carried out again, but what is stored of it is gone: nothing to compare with"


@dataclass(frozen=True)
class Finisher:
    """Ends runs on behalf of a worker. Safe to share between threads.

    What they give says whose lease was lost; they raise StoreUnavailable and SQLAlchemy's
    errors, and may then be called again.

    is_last: told of a claim whose end is written, it says whether that may be the last one of its
    campaign. Where it is not, nobody need ask the database whether the campaign is over.
    """

    sessions: sessionmaker[Session]
    objects: ObjectStore
    worker_id: uuid.UUID
    lease_for: timedelta
    is_last: Callable[[Claim], bool] = lambda claim: True
    _metric_ids: dict[str, int] = field(default_factory=dict, init=False)

    def succeed(self, ended: Sequence[Ended]) -> set[str]:
        """Store run directories, and their results for every run that waits for their keys.

        One transaction for all. The keys that were kept: the leases of the others were lost.
        """
        held = self._held(each.claim for each in ended)
        mine = [each for each in ended if each.claim.key in held]
        stored = store_files(self.sessions, self.objects, mine)
        rows = {each.claim.key: _row(each, stored[each.claim.key]) for each in mine}
        while mine:
            keys = [each.claim.key for each in mine]
            with self.sessions.begin() as session:
                hold_pack(session, stored.values())
                results = store_results(session, [rows[key] for key in keys], self._metric_ids)
                campaigns = end_with_results(
                    session, {each.claim.key: _ending(each, results) for each in mine}
                )
                kept = lease.end(session, self.worker_id, keys)
                if len(kept) < len(keys):
                    session.rollback()
            if len(kept) == len(keys):
                self._settle([each.claim for each in mine], campaigns)
                break
            mine = [each for each in mine if each.claim.key in kept]
        return {each.claim.key for each in mine}

    def certify(self, claim: Claim, folder: Path, wall_s: float) -> bool:
        """Compare a run directory with the stored one of its key, which stays as it is.

        The run ends as the result that it has the bytes of, or fails, with its files as a failed
        run's.
        """
        if not self._held([claim]):
            return False
        with singly(self.sessions)() as session:
            stored = files_of_key(session, self.objects, claim.key)
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
            if not lease.end(session, self.worker_id, [claim.key]):
                session.rollback()
                return False
        self._settle([claim], campaigns)
        return True

    def fail(self, claim: Claim, folder: Path | None, reason: str, wall_s: float) -> bool:
        """Store the logs of a failed run; it, and what shares its key in its campaign, failed."""
        if not self._held([claim]):
            return False
        if folder is not None and (folder / "run.json").is_file():
            put_folder(self.objects, failed_prefix(claim.key), folder)
        with self.sessions.begin() as session:
            here = (Run.key == claim.key) & (Run.campaign_id == claim.campaign_id)
            wall = _of(claim, wall_s)
            campaigns = end_runs(session, here, table.FAIL, reason, wall_s=wall)
            if not lease.end(session, self.worker_id, [claim.key]):
                session.rollback()
                return False
        self._settle([claim], campaigns)
        return True

    def _held(self, claims: Iterable[Claim]) -> set[str]:
        with singly(self.sessions).begin() as session:
            keys = [claim.key for claim in claims]
            return lease.renew(session, self.worker_id, keys, self.lease_for)

    def _settle(self, claims: Collection[Claim], campaigns: Collection[uuid.UUID]) -> None:
        last = {claim.campaign_id: self.is_last(claim) for claim in claims}
        for campaign_id in campaigns:
            if last.get(campaign_id, True):
                with self.sessions.begin() as session:
                    settle_if_over(session, campaign_id)


def _row(ended: Ended, stored: Stored) -> dict[str, Any]:
    """The columns of its result."""
    claim = ended.claim
    metrics = jsonfile.read(ended.folder / "metrics.json")
    return {
        "key": claim.key,
        "team_id": claim.team_id,
        "outcome": ended.outcome,
        "reason": ended.reason,
        "size_bytes": stored.size_bytes,
        "pack_id": stored.pack_id,
        "pack_start": stored.pack_start,
        "film_s": float(claim.experiment["duration_s"]),
        "wall_s": ended.wall_s,
        "metrics": metrics,
        "digest": digest(metrics),
        "history": jsonfile.read(ended.folder / "host.json")["history"],
    }


def _ending(ended: Ended, results: dict[str, int]) -> Ending:
    claim = ended.claim
    # An invalid run that was done again: its result is that of whoever shares it.
    by = table.REPLACE if claim.replaces else table.SUCCEED
    result_id = results[claim.key]
    return Ending(by, ended.outcome, ended.reason, result_id, claim.run_id, ended.wall_s)


def _of(claim: Claim, wall_s: float) -> ColumnElement[float | None]:
    """The wall time of the run that was carried out; others of its key took none."""
    return case((Run.id == claim.run_id, wall_s), else_=Run.wall_s)
