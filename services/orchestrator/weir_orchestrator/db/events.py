"""What happened, in order, for those who watch."""

from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from weir_orchestrator.db.base import Base, BigId, Json, utc_now

__all__ = ["Event"]


class Event(Base):
    """One thing that happened. kind: run.ended, campaign.state, ...; data: what changed."""

    __tablename__ = "event"
    __table_args__ = (Index(None, "campaign_id", "id"), Index(None, "team_id", "id"))

    id: Mapped[BigId]
    team_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"))
    campaign_id: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("campaign.id", ondelete="CASCADE")
    )
    kind: Mapped[str] = mapped_column(String(40))
    data: Mapped[Json] = mapped_column(default=dict)
    at: Mapped[datetime] = mapped_column(default=utc_now, index=True)
