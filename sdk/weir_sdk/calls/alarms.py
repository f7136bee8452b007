"""Alarms of schedules."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from weir_sdk.call import Call, Json, Page, asked, body, path
from weir_sdk.models import AlarmOut

__all__ = ["change_alarm", "list_alarms"]


def list_alarms(
    schedule: UUID | str, closed: bool = False, limit: int = 500
) -> Call[Page[AlarmOut]]:
    """What is worse than the baseline, or was, newest first."""
    where = path("schedules", schedule, "alarms")
    return Call("GET", where, Json(Page[AlarmOut]), asked(closed=closed, limit=limit))


def change_alarm(
    alarm: int,
    acknowledged: bool | None = None,
    muted_until: datetime | None = None,
    note: str | None = None,
) -> Call[AlarmOut]:
    """Acknowledge it, mute it until a time (one that is over: no more), or note something."""
    until = muted_until.isoformat() if muted_until else None
    given = body(acknowledged=acknowledged, muted_until=until, note=note)
    return Call("PATCH", path("alarms", alarm), Json(AlarmOut), json=given)
