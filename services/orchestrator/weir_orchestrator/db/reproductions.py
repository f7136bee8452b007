"""Cards whose runs were carried out again, and what became of every run."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from weir_orchestrator.db.base import Base, UuidId, utc_now

__all__ = ["Certificate", "Reproduction"]


class Reproduction(Base):
    """A card's runs, carried out again and compared with what is stored of them.

    campaigns: ids of those that carry the runs out, which may be gone. runs: how many these are.
    left_out: [reason, number of runs] of the card's others. same, differing, failed: the verdict,
    from when it has ended: how many have equal bytes; {run, again, key, files} of each that has
    not; [reason, number of runs] of those that could not be compared.
    """

    __tablename__ = "reproduction"
    __table_args__ = (Index(None, "card_id", "created_at", "id"),)

    id: Mapped[UuidId]
    card_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("card.id", ondelete="CASCADE"))
    campaigns: Mapped[list[str]] = mapped_column()
    runs: Mapped[int] = mapped_column()
    left_out: Mapped[list[Any]] = mapped_column(default=list)
    same: Mapped[int] = mapped_column(default=0)
    differing: Mapped[list[Any]] = mapped_column(default=list)
    failed: Mapped[list[Any]] = mapped_column(default=list)
    created_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("user.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    ended_at: Mapped[datetime | None] = mapped_column(index=True)


class Certificate(Base):
    """That a run was carried out again and compared. differing: names of files; none: the same."""

    __tablename__ = "certificate"

    run_id: Mapped[int] = mapped_column(
        ForeignKey("run.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    differing: Mapped[list[str]] = mapped_column()
