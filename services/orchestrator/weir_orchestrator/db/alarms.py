"""What is worse than the baseline, until it is good again."""

from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import ForeignKey, Index, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from weir_orchestrator.db.base import Base, BigId, utc_now

__all__ = ["Alarm"]

_OPEN = text("closed_at IS NULL")


class Alarm(Base):
    """On a trend: at most one is open.

    opened_by, worse_in, closed_by: campaigns, of which any may be gone: the night that opened it,
    the last one that was worse, and the one that was good again. muted_until: it is not told of
    until then.
    """

    __tablename__ = "alarm"
    __table_args__ = (
        Index(None, "trend_id", "id"),
        Index("uq_alarm_open", "trend_id", unique=True, postgresql_where=_OPEN, sqlite_where=_OPEN),
    )

    id: Mapped[BigId]
    trend_id: Mapped[int] = mapped_column(ForeignKey("trend.id", ondelete="CASCADE"))
    opened_by: Mapped[uuid.UUID] = mapped_column()
    worse_in: Mapped[uuid.UUID] = mapped_column()
    closed_by: Mapped[uuid.UUID | None] = mapped_column()
    opened_at: Mapped[datetime] = mapped_column(default=utc_now)
    closed_at: Mapped[datetime | None] = mapped_column()
    acknowledged_by: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("user.id", ondelete="SET NULL")
    )
    acknowledged_at: Mapped[datetime | None] = mapped_column()
    muted_until: Mapped[datetime | None] = mapped_column()
    note: Mapped[str] = mapped_column(Text, default="")
