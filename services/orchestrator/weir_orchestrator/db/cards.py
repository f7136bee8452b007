"""Views that people kept, with what they were made of."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from weir_orchestrator.db.base import Base, Json, UuidId, utc_now

__all__ = ["Card"]


class Card(Base):
    """A view as it was when it was kept; its campaigns may have been deleted since.

    view: the address that draws it again, in the web page. picture_type: image/svg+xml or
    image/png. numbers: `columns` and `rows`. campaigns, runs: see
    weir_orchestrator.api.cards.schemas. link: SHA-256 of the secret in its shared address.
    """

    __tablename__ = "card"
    __table_args__ = (Index(None, "team_id", "created_at", "id"),)

    id: Mapped[UuidId]
    team_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(200))
    text: Mapped[str] = mapped_column(Text, default="")
    title: Mapped[str] = mapped_column(String(300))
    view: Mapped[str] = mapped_column(Text)
    picture: Mapped[bytes | None] = mapped_column(LargeBinary)
    picture_type: Mapped[str | None] = mapped_column(String(20))
    numbers: Mapped[Json] = mapped_column()
    campaigns: Mapped[list[Any]] = mapped_column()
    runs: Mapped[list[Any]] = mapped_column()
    link: Mapped[str | None] = mapped_column(String(64), unique=True)
    created_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("user.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
