"""Removing packs (`weir_orchestrator.work.run_files`) that no result is in any more, or ever came
to be. One that is marked gets no result."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session, sessionmaker

from weir_orchestrator.db import Pack, Result
from weir_orchestrator.housekeeping.marked import CHUNK, Kind, remove_unused
from weir_orchestrator.objects import ObjectStore, pack_key

__all__ = ["remove_unused_packs"]

_PACKS: Final = Kind(
    Pack,
    since=Pack.made_at,
    used=select(Result.id).where(Result.pack_id == Pack.id).exists(),
    marked=Pack.removing.is_(True),
    mark={"removing": True},
)


def remove_unused_packs(
    sessions: sessionmaker[Session],
    objects: ObjectStore,
    keep: timedelta,
    at_most: int = CHUNK,
) -> bool:
    """Remove packs, with their objects, that no result is in; whether more are left.

    keep: not before they are that old. Raises StoreUnavailable; calling again goes on.
    """
    return remove_unused(
        sessions, _PACKS, keep, lambda pack: objects.delete(pack_key(pack.id)), at_most
    )
