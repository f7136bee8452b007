"""Removing packs (`weir_orchestrator.work.run_files`) that no result is in any more, or ever came
to be.

A pack is marked before its object is removed: from then on it gets no result. So neither a result
without files nor an object that nobody knows is the outcome, wherever this is interrupted.
"""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Final

from sqlalchemy import and_, delete, or_, select, update
from sqlalchemy.orm import Session, sessionmaker

from weir_orchestrator.db import Pack, Result
from weir_orchestrator.db.dialect import now
from weir_orchestrator.objects import ObjectStore, pack_key

__all__ = ["remove_unused_packs"]

_CHUNK_PACKS: Final = 200


def remove_unused_packs(
    sessions: sessionmaker[Session],
    objects: ObjectStore,
    keep: timedelta,
    at_most: int = _CHUNK_PACKS,
) -> bool:
    """Remove packs, with their objects, that no result is in; whether more are left.

    keep: not before they are that old. Raises StoreUnavailable; calling again goes on.
    """
    used = select(Result.id).where(Result.pack_id == Pack.id).exists()
    with sessions() as session:
        old = Pack.made_at < now(session) - keep
        query = select(Pack.id).where(or_(Pack.removing, and_(old, ~used)))
        found = session.scalars(query.limit(at_most)).all()
    if not found:
        return False
    with sessions.begin() as session:
        chosen = select(Pack.id).where(Pack.id.in_(found))
        held = session.scalars(chosen.with_for_update(skip_locked=True)).all()
        # Asked again now that they are locked: results may have come to be in one.
        mark = update(Pack).where(Pack.id.in_(held), ~used).values(removing=True)
        session.execute(mark, execution_options={"synchronize_session": False})
    removed = [_remove(sessions, objects, pack_id) for pack_id in found]
    return any(removed)


def _remove(sessions: sessionmaker[Session], objects: ObjectStore, pack_id: uuid.UUID) -> bool:
    """One that is marked, by one housekeeper at a time; False where it is not."""
    marked = select(Pack.id).where(Pack.id == pack_id, Pack.removing)
    with sessions.begin() as session:
        if session.scalar(marked.with_for_update(skip_locked=True)) is None:
            return False
        objects.delete(pack_key(pack_id))
        session.execute(delete(Pack).where(Pack.id == pack_id))
    return True
