"""A schedule's newest verdict as a picture for pages elsewhere."""

from __future__ import annotations

from uuid import UUID

from weir_sdk.call import Call, Json, nothing, path
from weir_sdk.models import BadgeOut

__all__ = ["delete_badge", "make_badge"]


def make_badge(schedule: UUID | str) -> Call[BadgeOut]:
    """Give it one at a new address; the one so far ends."""
    return Call("POST", path("schedules", schedule, "badge"), Json(BadgeOut))


def delete_badge(schedule: UUID | str) -> Call[None]:
    """Let its address end."""
    return Call("DELETE", path("schedules", schedule, "badge"), nothing)
