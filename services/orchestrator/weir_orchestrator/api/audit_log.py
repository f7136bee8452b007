"""Writing the audit log."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy.orm import Session

from weir_orchestrator.api.access import Principal
from weir_orchestrator.db import AuditEntry

__all__ = ["log"]


def log(
    session: Session,
    who: Principal,
    action: str,
    team_id: uuid.UUID | None,
    object_id: object = None,
    **detail: Any,
) -> None:
    """Note what was done in the same transaction; `detail` must be JSON and hold no secret."""
    session.add(
        AuditEntry(
            team_id=team_id,
            user_id=who.user_id,
            token_id=who.token_id,
            action=action,
            object_id=None if object_id is None else str(object_id),
            detail=detail,
            address=who.address,
        )
    )
