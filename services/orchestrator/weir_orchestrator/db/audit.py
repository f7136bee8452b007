"""Who did what."""

from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from weir_orchestrator.db.base import Base, BigId, Json, utc_now

__all__ = ["AuditEntry"]


class AuditEntry(Base):
    """What somebody did. `action`: noun.verb, as campaign.cancel; `detail` holds no secrets."""

    __tablename__ = "audit_entry"
    __table_args__ = (
        Index(None, "team_id", "id"),
        Index(None, "user_id", "action", "address"),
    )

    id: Mapped[BigId]
    team_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"))
    user_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("user.id", ondelete="SET NULL"))
    token_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("token.id", ondelete="SET NULL"))
    action: Mapped[str] = mapped_column(String(60))
    object_id: Mapped[str | None] = mapped_column(String(100))
    detail: Mapped[Json] = mapped_column(default=dict)
    address: Mapped[str | None] = mapped_column(String(60))
    at: Mapped[datetime] = mapped_column(default=utc_now)
