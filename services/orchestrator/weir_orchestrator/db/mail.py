"""E-mail that is to be sent."""

from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from weir_orchestrator.db.base import Base, BigId, Told, utc_now

__all__ = ["Mail"]


class Mail(Base):
    """One message to those of a schedule's `mail_to` who are members when it is sent.

    told: its lines. state: pending, sent or failed (no more tries). next_at: when it is tried next.
    """

    __tablename__ = "mail"
    __table_args__ = (Index(None, "state", "next_at"),)

    id: Mapped[BigId]
    schedule_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("schedule.id", ondelete="CASCADE"), index=True
    )
    subject: Mapped[str] = mapped_column(Text)
    told: Mapped[list[str]] = mapped_column()
    state: Mapped[str] = mapped_column(String(10), default="pending")
    attempts: Mapped[int] = mapped_column(default=0)
    next_at: Mapped[datetime] = mapped_column(default=utc_now)
    error: Mapped[str] = mapped_column(Told, default="")
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
