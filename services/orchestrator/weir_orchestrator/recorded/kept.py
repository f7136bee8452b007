"""Where the run directory of a result is."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Final

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from weir_orchestrator.db import Result, Run
from weir_orchestrator.objects import ObjectStore, pack_key, run_prefix
from weir_orchestrator.recorded.files import Part, RunFiles

__all__ = ["files_of_campaign", "files_of_key"]

_PARTS: Final = select(Result.key, Result.pack_id, Result.pack_start, Result.size_bytes).where(
    Result.pack_id.is_not(None)
)


def files_of_key(session: Session, objects: ObjectStore, key: str) -> RunFiles:
    """What a finished run of a key left."""
    return _finder(session, objects, Result.key == key)(key)


def files_of_campaign(
    session: Session, objects: ObjectStore, campaign_id: uuid.UUID
) -> Callable[[str], RunFiles]:
    """By key what each finished run of a campaign left; the database is asked now, for all."""
    ended = select(Run.result_id).where(Run.campaign_id == campaign_id)
    return _finder(session, objects, Result.id.in_(ended))


def _finder(
    session: Session, objects: ObjectStore, which: ColumnElement[bool]
) -> Callable[[str], RunFiles]:
    parts = {
        key: Part(pack_key(pack_id), start, size_bytes)
        for key, pack_id, start, size_bytes in session.execute(_PARTS.where(which))
        if pack_id is not None and start is not None
    }

    def files_of(key: str) -> RunFiles:
        return RunFiles(objects, run_prefix(key), parts.get(key))

    return files_of
