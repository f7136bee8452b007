"""Runs, the workers that carry them out, and the leases between the two."""

from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import BigInteger, Float, ForeignKey, Index, String, UniqueConstraint, false, text
from sqlalchemy.orm import Mapped, mapped_column

from weir_orchestrator.db.base import Base, BigId, Json, Told, UuidId, utc_now

__all__ = ["Lease", "Run", "Worker"]


class Run(Base):
    """One run of a campaign: combination x replicate. Runs of one key share a result.

    state: see weir_orchestrator.lifecycle. position: from 0, the campaign's order. clock: virtual
    or real, as its experiment says. certifies: it is carried out although its key has a result, to
    be compared with that; see Certificate. result_id: of a run that succeeded or is invalid, and of
    no other.
    """

    __tablename__ = "run"
    __table_args__ = (
        UniqueConstraint("campaign_id", "position"),
        Index(None, "campaign_id", "state", "position"),
        Index(None, "campaign_id", "combination", "position"),
        Index(None, "key"),
        Index(
            "ix_run_queued",
            "campaign_id",
            "clock",
            "position",
            postgresql_where=text("state = 'queued'"),
            sqlite_where=text("state = 'queued'"),
        ),
        Index(
            "ix_run_ended",
            "campaign_id",
            "result_id",
            postgresql_where=text("result_id IS NOT NULL"),
            sqlite_where=text("result_id IS NOT NULL"),
        ),
        Index(
            None,
            "result_id",
            postgresql_where=text("result_id IS NOT NULL"),
            sqlite_where=text("result_id IS NOT NULL"),
        ),
    )

    id: Mapped[BigId]
    campaign_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("campaign.id", ondelete="CASCADE"))
    position: Mapped[int] = mapped_column(BigInteger)
    combination: Mapped[int] = mapped_column()
    replicate: Mapped[int] = mapped_column()
    seed: Mapped[int] = mapped_column(BigInteger)
    key: Mapped[str] = mapped_column(String(32))
    clock: Mapped[str] = mapped_column(String(10))
    state: Mapped[str] = mapped_column(String(10), default="queued")
    reason: Mapped[str] = mapped_column(Told, default="")
    attempts: Mapped[int] = mapped_column(default=0)
    replaces: Mapped[bool] = mapped_column(default=False)
    certifies: Mapped[bool] = mapped_column(default=False, server_default=false())
    result_id: Mapped[int | None] = mapped_column(ForeignKey("result.id", ondelete="SET NULL"))
    wall_s: Mapped[float | None] = mapped_column(Float)
    queued_at: Mapped[datetime] = mapped_column(default=utc_now)
    started_at: Mapped[datetime | None] = mapped_column()
    ended_at: Mapped[datetime | None] = mapped_column()


class Worker(Base):
    """A process that carries runs out. state: up, draining or gone.

    roles_hash, kernels: the campaigns that it can work on are those made for them. clocks: of the
    runs that it carries out. problem: why it claims less than it could, or nothing. refusal: why
    it does not run code that campaigns bring, or nothing. building: the kernel that it builds now
    (`weir_orchestrator.work.kernels.Building`).
    """

    __tablename__ = "worker"

    id: Mapped[UuidId]
    host: Mapped[str] = mapped_column(String(255))
    pid: Mapped[int] = mapped_column()
    jobs: Mapped[int] = mapped_column()
    roles_hash: Mapped[str] = mapped_column(String(64), default="")
    kernels: Mapped[list[str]] = mapped_column(default=list)
    clocks: Mapped[list[str]] = mapped_column(default=list)
    problem: Mapped[str] = mapped_column(Told, default="")
    refusal: Mapped[str] = mapped_column(Told, default="")
    building: Mapped[Json | None] = mapped_column()
    state: Mapped[str] = mapped_column(String(10), default="up")
    started_at: Mapped[datetime] = mapped_column(default=utc_now)
    seen_at: Mapped[datetime] = mapped_column(default=utc_now)


class Lease(Base):
    """A worker's hold on a run key until a time that it keeps moving on. One per key."""

    __tablename__ = "lease"

    key: Mapped[str] = mapped_column(String(32), primary_key=True)
    run_id: Mapped[int] = mapped_column(ForeignKey("run.id", ondelete="CASCADE"), index=True)
    worker_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("worker.id", ondelete="CASCADE"), index=True
    )
    until: Mapped[datetime] = mapped_column(index=True)
