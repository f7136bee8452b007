"""How often something was tried, counted by all processes together."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from weir_orchestrator.db.base import Base

__all__ = ["TryCount"]


class TryCount(Base):
    """Tries from the first one until `ends_at`. key: SHA-256 of what is limited."""

    __tablename__ = "try_count"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    count: Mapped[int] = mapped_column()
    ends_at: Mapped[datetime] = mapped_column(index=True)
