"""Leases: kept by heartbeats, given back, and taken from workers that have fallen silent."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from datetime import timedelta
from typing import Final

from sqlalchemy import and_, bindparam, delete, or_, select, update
from sqlalchemy.orm import Session, sessionmaker

from weir_orchestrator.db import IS_QUEUED, Campaign, Lease, Run, Worker, singly
from weir_orchestrator.db.columns import among
from weir_orchestrator.db.dialect import clock, now
from weir_orchestrator.lifecycle import (
    GOING_ON,
    end_runs,
    hold_campaigns,
    queue_again,
    settle_if_over,
    table,
)

__all__ = ["end", "expire", "give_back", "give_back_others", "keep", "reap", "renew", "unwanted"]

# Built once: a worker asks these for every run and every other second, and building one takes
# longer than Postgres needs for the answer. No object of a session holds the rows.
_SEEN: Final = (
    update(Worker)
    .where(Worker.id == bindparam("of_worker"))
    .values(seen_at=clock())
    .execution_options(synchronize_session=False)
)
# In one order: a heartbeat and a group's end would else wait for each other's leases.
_OWN: Final = (
    select(Lease.key)
    .where(
        Lease.worker_id == bindparam("of_worker"),
        among(Lease.key, "of_keys"),
    )
    .order_by(Lease.key)
    .with_for_update()
)
_KEEP: Final = (
    update(Lease)
    .where(Lease.key.in_(_OWN))
    .values(until=clock(bindparam("lease_s")))
    .returning(Lease.key)
    .execution_options(synchronize_session=False)
)
_END: Final = (
    delete(Lease)
    .where(Lease.key.in_(_OWN))
    .returning(Lease.key)
    .execution_options(synchronize_session=False)
)
_WAITING: Final = (
    select(Run.id)
    .join(Campaign, Campaign.id == Run.campaign_id)
    .where(
        Run.key == Lease.key,
        or_(Run.state == "running", and_(IS_QUEUED, Campaign.state.in_(GOING_ON))),
    )
)
_EXPIRED: Final = (
    select(Lease.key, Lease.run_id, Lease.worker_id, Worker.host, Worker.pid)
    .join(Worker, Worker.id == Lease.worker_id)
    .where(Lease.until < clock())
)
_UNWANTED: Final = select(Lease.key).where(
    Lease.worker_id == bindparam("of_worker"), ~_WAITING.exists()
)


def keep(
    session: Session, worker_id: uuid.UUID, lease: timedelta, held: Collection[str]
) -> set[str]:
    """A worker's heartbeat: moves the end of its leases on; those of the held keys it still has.

    One of which the worker itself does not know ends in time.
    """
    session.execute(_SEEN, {"of_worker": worker_id})
    return _moved_on(session, worker_id, lease, held)


def give_back_others(session: Session, worker_id: uuid.UUID, held: Collection[str]) -> None:
    """Give back what a worker has leases for and does not hold.

    Its claim was written, and the database gone before it could say so.
    """
    unknown = select(Lease.run_id, Lease.key).where(
        Lease.worker_id == worker_id, Lease.key.not_in(list(held))
    )
    for run_id, key in session.execute(unknown).all():
        give_back(session, worker_id, run_id, key)


def renew(
    session: Session, worker_id: uuid.UUID, keys: Collection[str], lease: timedelta
) -> set[str]:
    """Move the end of some leases on; the keys whose lease the worker still holds."""
    return _moved_on(session, worker_id, lease, keys)


def end(session: Session, worker_id: uuid.UUID, keys: Collection[str]) -> set[str]:
    """End leases, of runs that are over; the keys whose lease the worker still held."""
    return set(session.scalars(_END, {"of_worker": worker_id, "of_keys": list(keys)}))


def unwanted(session: Session, worker_id: uuid.UUID) -> set[str]:
    """Leased keys whose run was cancelled, and that no other run waits for."""
    return set(session.scalars(_UNWANTED, {"of_worker": worker_id}))


def expire(session: Session, worker_id: uuid.UUID) -> None:
    """Note that a worker is dead, by one who knows: its leases may be taken at once."""
    gone = update(Worker).where(Worker.id == worker_id, Worker.state != "gone")
    session.execute(gone.values(state="gone"))
    ended = now(session) - timedelta(seconds=1)
    session.execute(update(Lease).where(Lease.worker_id == worker_id).values(until=ended))


def give_back(
    session: Session, worker_id: uuid.UUID, run_id: int, key: str, *, tried: bool = False
) -> None:
    """Let another worker have a run that was claimed and not finished.

    tried: it counts as an attempt. Nothing happens where the lease is another's by now.
    """
    _lock(session, run_id)
    if _drop(session, worker_id, key):
        queue_again(session, run_id, tried=tried)


def reap(sessions: sessionmaker[Session], max_attempts: int) -> int:
    """Queue the runs of expired leases again; their number.

    One over which `max_attempts` workers have died is failed.
    """
    with singly(sessions)() as session:
        expired = session.execute(_EXPIRED).all()
    taken = 0
    for key, run_id, worker_id, host, pid in expired:
        with sessions.begin() as session:
            hold_campaigns(session, Run.id == run_id)
            if not _lock(session, run_id, skip=True):
                continue
            if not _drop(session, worker_id, key, only_expired=True):
                continue
            taken += 1
            campaigns = _after_death(session, run_id, max_attempts, f"{host}, process {pid}")
        for campaign_id in campaigns:
            with sessions.begin() as session:
                settle_if_over(session, campaign_id)
    return taken


def _moved_on(
    session: Session, worker_id: uuid.UUID, lease: timedelta, keys: Collection[str]
) -> set[str]:
    asked = {"of_worker": worker_id, "lease_s": lease.total_seconds(), "of_keys": list(keys)}
    return set(session.scalars(_KEEP, asked))


def _after_death(session: Session, run_id: int, most: int, who: str) -> set[uuid.UUID]:
    attempts = session.scalars(select(Run.attempts).where(Run.id == run_id)).one()
    if attempts < most:
        queue_again(session, run_id, tried=True)
        return set()
    reason = (
        f"{attempts} workers ended over this run (the last: {who}). Often memory ran out: "
        "try fewer jobs or clients; then run it again."
    )
    return end_runs(session, Run.id == run_id, table.BURY, reason)


def _lock(session: Session, run_id: int, *, skip: bool = False) -> bool:
    locked = select(Run.id).where(Run.id == run_id).with_for_update(skip_locked=skip)
    return session.execute(locked).first() is not None


def _drop(session: Session, worker_id: uuid.UUID, key: str, *, only_expired: bool = False) -> bool:
    mine = delete(Lease).where(Lease.key == key, Lease.worker_id == worker_id)
    if only_expired:
        mine = mine.where(Lease.until < now(session))
    return session.execute(mine.returning(Lease.key)).first() is not None
