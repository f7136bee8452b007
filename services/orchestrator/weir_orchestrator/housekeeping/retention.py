"""Removing rows that are old and of no more use, some at a time."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from sqlalchemy import CursorResult, Delete, delete, select, update
from sqlalchemy.orm import Session, sessionmaker

from weir_orchestrator.db import (
    OPEN_OUTCOMES,
    Event,
    IdempotencyKey,
    Lease,
    LoginSession,
    Mail,
    ScheduleTick,
    TryCount,
    WebhookDelivery,
    Worker,
)
from weir_orchestrator.db.dialect import now
from weir_orchestrator.settings import Settings

__all__ = ["CHUNK_ROWS", "remove_old"]

CHUNK_ROWS = 10_000
_KEEP_WORKERS: Final = timedelta(days=1)
_KEEP_IDEMPOTENCY: Final = timedelta(days=1)


def remove_old(
    sessions: sessionmaker[Session], settings: Settings, at_most: int = CHUNK_ROWS
) -> bool:
    """Remove what is old of sessions, counts of tries, Idempotency-Keys, workers, events,
    deliveries, mail and ticks.

    Whether more of them are left.
    """
    with sessions.begin() as session:
        moment = now(session)
        silent = Worker.seen_at < moment - 3 * settings.lease
        session.execute(update(Worker).where(silent, Worker.state != "gone").values(state="gone"))
        holds = select(Lease.key).where(Lease.worker_id == Worker.id).exists()
        long_gone = Worker.seen_at < moment - _KEEP_WORKERS
        session.execute(delete(Worker).where(Worker.state == "gone", long_gone, ~holds))
        session.execute(delete(LoginSession).where(LoginSession.expires_at < moment))
        session.execute(delete(TryCount).where(TryCount.ends_at < moment))
        used_up = IdempotencyKey.created_at < moment - _KEEP_IDEMPOTENCY
        session.execute(delete(IdempotencyKey).where(used_up))
        too_old = moment - settings.keep_events
        removed = [
            _some(session, Event, Event.at < too_old, at_most),
            _some(
                session,
                WebhookDelivery,
                (WebhookDelivery.state != "pending") & (WebhookDelivery.due_at < too_old),
                at_most,
            ),
            _some(session, Mail, (Mail.state != "pending") & (Mail.created_at < too_old), at_most),
            _some(
                session,
                ScheduleTick,
                ScheduleTick.outcome.not_in(OPEN_OUTCOMES) & (ScheduleTick.due_at < too_old),
                at_most,
            ),
        ]
    return max(removed) >= at_most


def _some(session: Session, model: Any, which: Any, at_most: int) -> int:
    """How many rows were removed."""
    ids = select(model.id).where(which).limit(at_most)
    statement: Delete = delete(model).where(model.id.in_(ids))
    done = session.execute(statement, execution_options={"synchronize_session": False})
    assert isinstance(done, CursorResult)
    return done.rowcount
