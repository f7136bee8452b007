"""Which nights of a schedule were judged."""

from __future__ import annotations

import uuid

from sqlalchemy import Select, select

from weir_orchestrator.db import Campaign, Night

__all__ = ["judged"]


def judged(schedule_id: uuid.UUID | None) -> Select[Night]:
    """Nights, with their campaigns joined: the newest campaign's first."""
    return (
        select(Night)
        .select_from(Night)
        .join(Campaign, Campaign.id == Night.campaign_id)
        .where(Campaign.schedule_id == schedule_id)
        .order_by(Campaign.created_at.desc())
    )
