"""Campaigns that are submitted again and again."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Final

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from weir_orchestrator.db.base import Base, BigId, Json, UuidId, utc_now

__all__ = ["OPEN_OUTCOMES", "Schedule", "ScheduleSubject", "ScheduleTick"]

OPEN_OUTCOMES: Final = ("due", "waiting")
"""Of ticks that are still to be carried out."""
_OPEN: Final = text(f"outcome IN {OPEN_OUTCOMES}")


class Schedule(Base):
    """A campaign's document, pinned, and when it is submitted.

    cron: five fields, on the clock of `timezone`. next_at: None while it is disabled.
    files, overrides, replicates, seed, priority: see weir_orchestrator.submission.Submission.
    overlap: what a tick does while the campaign of an earlier one is not over: skip, queue
    (submitted when that is over) or parallel. missed: after downtime, `skip` what was due or
    run it `once`. effects: metric -> from which difference on it matters, as
    weir_engine.regression.effects reads it; others have the defaults. most_replicates: up to how
    many a combination gets in a night that cannot tell; 0: no more than were asked for. badge: the
    part of its picture's address that nobody guesses; None: there is none. mail_to: addresses of
    members who are told of worse nights.
    """

    __tablename__ = "schedule"
    __table_args__ = (UniqueConstraint("team_id", "name"),)

    id: Mapped[UuidId]
    team_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(100))
    cron: Mapped[str] = mapped_column(String(100))
    timezone: Mapped[str] = mapped_column(String(60), default="UTC")
    overlap: Mapped[str] = mapped_column(String(10), default="skip")
    missed: Mapped[str] = mapped_column(String(10), default="once")
    enabled: Mapped[bool] = mapped_column(default=True)
    document: Mapped[str] = mapped_column(Text)
    files: Mapped[Json] = mapped_column(default=dict)
    overrides: Mapped[Json] = mapped_column(default=dict)
    replicates: Mapped[int | None] = mapped_column()
    seed: Mapped[int | None] = mapped_column(BigInteger)
    priority: Mapped[int] = mapped_column(default=0)
    effects: Mapped[Json] = mapped_column(default=dict, server_default="{}")
    most_replicates: Mapped[int] = mapped_column(default=0, server_default="0")
    mail_to: Mapped[list[str]] = mapped_column(default=list, server_default="[]")
    badge: Mapped[str | None] = mapped_column(String(64), unique=True, index=True)
    created_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("user.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    next_at: Mapped[datetime | None] = mapped_column(index=True)


class ScheduleSubject(Base):
    """A file of a schedule's campaign that is taken from a repository each night.

    name: as the campaign has it. The others: see weir_orchestrator.repositories.Source; token and
    key are never shown.
    """

    __tablename__ = "schedule_subject"

    schedule_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("schedule.id", ondelete="CASCADE"), primary_key=True
    )
    name: Mapped[str] = mapped_column(String(255), primary_key=True)
    repository: Mapped[str] = mapped_column(String(2000))
    branch: Mapped[str] = mapped_column(String(200))
    path: Mapped[str] = mapped_column(String(500))
    token: Mapped[str] = mapped_column(Text, default="")
    key: Mapped[str] = mapped_column(Text, default="")
    host_keys: Mapped[str] = mapped_column(Text, default="")


class ScheduleTick(Base):
    """A time at which a schedule was due, and what came of it.

    outcome: due (being taken care of), waiting (overlap: queue), submitted, skipped (overlap),
    missed (downtime) or failed; `detail` says why. at: when the outcome was reached.
    """

    __tablename__ = "schedule_tick"
    __table_args__ = (
        UniqueConstraint("schedule_id", "due_at"),
        Index(
            "ix_schedule_tick_open",
            "id",
            postgresql_where=_OPEN,
            sqlite_where=_OPEN,
        ),
    )

    id: Mapped[BigId]
    schedule_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("schedule.id", ondelete="CASCADE"))
    due_at: Mapped[datetime] = mapped_column()
    outcome: Mapped[str] = mapped_column(String(10))
    detail: Mapped[str] = mapped_column(Text, default="")
    campaign_id: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("campaign.id", ondelete="SET NULL")
    )
    at: Mapped[datetime] = mapped_column(default=utc_now)
