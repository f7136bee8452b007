"""What happened, in order, for those who watch."""

from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from weir_orchestrator.db.base import Base, BigId, Json, utc_now

__all__ = ["Event", "EventCursor"]


class Event(Base):
    """One thing that happened. kind: run.ended, campaign.state, ...; data: what changed.

    Ids are never used again, so that a reader's position stays good when old events are removed.
    """

    __tablename__ = "event"
    __table_args__ = (
        Index(None, "campaign_id", "id"),
        Index(None, "team_id", "id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[BigId]
    team_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"))
    campaign_id: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("campaign.id", ondelete="CASCADE")
    )
    kind: Mapped[str] = mapped_column(String(40))
    data: Mapped[Json] = mapped_column(default=dict)
    at: Mapped[datetime] = mapped_column(default=utc_now, index=True)


class EventCursor(Base):
    """Up to which event a reader that outlives its process has come; `webhooks` is one."""

    __tablename__ = "event_cursor"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    position: Mapped[int] = mapped_column(BigInteger)
