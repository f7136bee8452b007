"""Removing what no campaign refers to any more: results, logs of failures, uploaded files, lab
kernels; and what killed workers left of runs that they had.

A result is marked before its run directory is removed: whoever submits its key again queues runs,
which wait until the removal is over.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import islice
from typing import Final

from sqlalchemy import delete, or_, select
from sqlalchemy.orm import Session, sessionmaker

from weir_orchestrator.db import Campaign, Lease, Result, Run, Schedule, UploadedFile
from weir_orchestrator.db.columns import among
from weir_orchestrator.db.dialect import now
from weir_orchestrator.housekeeping.marked import CHUNK, Kind, remove_unused
from weir_orchestrator.objects import (
    BUNDLE,
    FAILED,
    KERNELS,
    RUNNING,
    ObjectStore,
    failed_prefix,
    file_key,
    kernel_prefix,
    run_prefix,
    running_prefix,
)
from weir_orchestrator.work import kept_kernels

__all__ = [
    "remove_left_curves",
    "remove_unused_files",
    "remove_unused_kernels",
    "remove_unused_logs",
    "remove_unused_packed_results",
    "remove_unused_results",
]

_CHUNK_FILES = 100
_CHUNK_PACKED = 5_000
_CHUNK_KEYS = 500
_RESULTS: Final = Kind(
    Result,
    since=Result.finished_at,
    used=select(Run.id).where(Run.key == Result.key).exists(),
    marked=Result.outcome == "removing",
    mark={"outcome": "removing"},
)


def remove_unused_results(
    sessions: sessionmaker[Session],
    objects: ObjectStore,
    keep: timedelta,
    at_most: int = CHUNK,
) -> bool:
    """Remove results, with their run directories, whose key no run has; whether more are left.

    keep: not before they are that old. Raises StoreUnavailable; calling again goes on.
    """
    return remove_unused(
        sessions,
        _RESULTS,
        keep,
        lambda result: objects.delete_prefix(run_prefix(result.key)),
        at_most,
    )


def remove_unused_packed_results(
    sessions: sessionmaker[Session], keep: timedelta, at_most: int = _CHUNK_PACKED
) -> bool:
    """The same of results that are in packs, and have no objects of their own: many at once."""
    with sessions.begin() as session:
        some = (
            select(Result.id)
            .where(Result.pack_id.is_not(None), Result.finished_at < now(session) - keep)
            .where(~_RESULTS.used)
            .limit(at_most)
            .with_for_update(skip_locked=True)
        )
        found = session.scalars(some).all()
        # Asked again now that they are locked: something may have come to refer to one.
        gone = delete(Result).where(among(Result.id, found), ~_RESULTS.used)
        session.execute(gone, execution_options={"synchronize_session": False})
    return len(found) == at_most


def remove_unused_logs(
    sessions: sessionmaker[Session], objects: ObjectStore, keep: timedelta
) -> None:
    """Remove the logs of failed runs whose campaigns are gone. Raises StoreUnavailable."""
    with sessions() as session:
        before = now(session) - keep
    keys = _old_keys(objects, before)
    while some := list(islice(keys, _CHUNK_KEYS)):
        with sessions() as session:
            known = set(session.scalars(select(Run.key).where(Run.key.in_(some))))
        for key in set(some) - known:
            objects.delete_prefix(failed_prefix(key))


def remove_left_curves(sessions: sessionmaker[Session], objects: ObjectStore) -> None:
    """Remove what running runs showed, of keys that no worker has now. Raises StoreUnavailable."""
    keys = (info.key.split("/")[1] for info in objects.list(RUNNING))
    while some := set(islice(keys, _CHUNK_KEYS)):
        with sessions() as session:
            held = set(session.scalars(select(Lease.key).where(Lease.key.in_(some))))
        for key in some - held:
            objects.delete_prefix(running_prefix(key))


def remove_unused_kernels(
    sessions: sessionmaker[Session], objects: ObjectStore, keep: timedelta
) -> None:
    """Remove the kernels that build pods kept, of campaigns that all ended so long ago; where one
    is wanted again it is built again. Raises StoreUnavailable."""
    with sessions() as session:
        before = now(session) - keep
        lately = or_(Campaign.ended_at.is_(None), Campaign.ended_at >= before)
        used = set(session.scalars(select(Campaign.kernel_hash).where(lately)))
    stored = defaultdict(list)
    for info in objects.list(KERNELS):
        stored[info.key.split("/")[1]].append(info.modified)
    for name in used & stored.keys():
        with suppress(kept_kernels.NotAsBuilt):  # who is to boot it finds that, too
            used |= kept_kernels.members(objects, name)
    for name in stored.keys() - used:
        if max(stored[name]) < before:
            objects.delete_prefix(kernel_prefix(name))


def _old_keys(objects: ObjectStore, before: datetime) -> Iterator[str]:
    """Keys with logs of failures, perhaps more than once."""
    for info in objects.list(FAILED):
        if info.modified < before and info.key.endswith(f"/{BUNDLE}"):
            yield info.key.split("/")[1]


def remove_unused_files(
    sessions: sessionmaker[Session], objects: ObjectStore, keep: timedelta
) -> None:
    """Remove files that no campaign or schedule of their team names, and that were neither
    uploaded nor named in a request for so long. Raises StoreUnavailable.
    """
    unused: dict[uuid.UUID, set[str]] = defaultdict(set)
    with sessions() as session:
        before = now(session) - keep
        old = select(UploadedFile.team_id, UploadedFile.sha256)
        for team_id, sha256 in session.execute(old.where(UploadedFile.used_at < before)):
            unused[team_id].add(sha256)
        for model in (Campaign, Schedule):
            named = select(model.team_id, model.files).where(model.team_id.in_(unused))
            for team_id, files in session.execute(named):
                unused[team_id].difference_update(files.values())
    for team_id, digests in unused.items():
        left = iter(sorted(digests))
        while some := list(islice(left, _CHUNK_FILES)):
            _remove_files(sessions, objects, team_id, some, before)


def _remove_files(
    sessions: sessionmaker[Session],
    objects: ObjectStore,
    team_id: uuid.UUID,
    digests: list[str],
    before: datetime,
) -> None:
    """In one transaction: an upload of the same file waits, and then stores it anew."""
    chosen = delete(UploadedFile).where(
        UploadedFile.team_id == team_id,
        UploadedFile.sha256.in_(digests),
        UploadedFile.used_at < before,
    )
    with sessions.begin() as session:
        gone = session.scalars(chosen.returning(UploadedFile.sha256)).all()
        objects.delete(*(file_key(team_id, sha256) for sha256 in gone))
