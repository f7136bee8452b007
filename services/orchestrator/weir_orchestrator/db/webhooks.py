"""Calls to other systems when a campaign ends or something fails."""

from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from weir_orchestrator.db.base import Base, BigId, Json, UuidId, utc_now

__all__ = ["Webhook", "WebhookDelivery"]


class Webhook(Base):
    """Where a team wants to be told.

    secret: signs deliveries; shown once, when made. old_secret: signs them, too, until then.
    """

    __tablename__ = "webhook"

    id: Mapped[UuidId]
    team_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("team.id", ondelete="CASCADE"), index=True
    )
    url: Mapped[str] = mapped_column(String(2000))
    secret: Mapped[str] = mapped_column(String(100))
    old_secret: Mapped[str | None] = mapped_column(String(100))
    old_secret_until: Mapped[datetime | None] = mapped_column()
    events: Mapped[list[str]] = mapped_column()
    enabled: Mapped[bool] = mapped_column(default=True)
    created_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("user.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = mapped_column(default=utc_now)


class WebhookDelivery(Base):
    """One message to one webhook. state: pending, delivered or failed (no more tries).

    due_at: before which it is not sent. next_at: when it is tried next, or when a try that is
    under way is given up for dead.
    """

    __tablename__ = "webhook_delivery"
    __table_args__ = (
        Index(None, "webhook_id", "id"),
        Index(None, "state", "next_at"),
        Index(None, "campaign_id", "kind", "webhook_id", "id"),
    )

    id: Mapped[BigId]
    webhook_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("webhook.id", ondelete="CASCADE"))
    campaign_id: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("campaign.id", ondelete="SET NULL")
    )
    kind: Mapped[str] = mapped_column(String(40))
    payload: Mapped[Json] = mapped_column()
    state: Mapped[str] = mapped_column(String(10), default="pending")
    attempts: Mapped[int] = mapped_column(default=0)
    due_at: Mapped[datetime] = mapped_column(default=utc_now)
    next_at: Mapped[datetime | None] = mapped_column(default=utc_now)
    status_code: Mapped[int | None] = mapped_column()
    error: Mapped[str] = mapped_column(Text, default="")
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    delivered_at: Mapped[datetime | None] = mapped_column()
