"""Looking for the commit that moved a schedule's night."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from weir_orchestrator.db.base import Base, UuidId, utc_now

__all__ = ["Bisection"]


class Bisection(Base):
    """The commits between a good and a bad night are halved until one is left.

    state: running, found, or ended (without; `told` says why). name: of the subject. commits: after
    the good night's up to the bad one's, oldest first. low, high: of these, the last that is known
    to be good (-1: the good night's own) and the first that is known to be bad. worse: what is
    looked at, [identity of a combination, metric, verdict] each; of an older one, without verdict,
    which is `worse`. campaign_id: of the commit that is being run. steps: those that were, as
    {commit, campaign, outcome, told}; outcome: good, bad or skipped.
    """

    __tablename__ = "bisection"

    id: Mapped[UuidId]
    schedule_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("schedule.id", ondelete="CASCADE"), index=True
    )
    name: Mapped[str] = mapped_column(String(255))
    good_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("campaign.id", ondelete="CASCADE"))
    bad_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("campaign.id", ondelete="CASCADE"))
    state: Mapped[str] = mapped_column(String(10), default="running", index=True)
    commits: Mapped[list[str]] = mapped_column()
    low: Mapped[int] = mapped_column(default=-1)
    high: Mapped[int] = mapped_column()
    worse: Mapped[list[Any]] = mapped_column()
    campaign_id: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("campaign.id", ondelete="SET NULL")
    )
    steps: Mapped[list[Any]] = mapped_column(default=list)
    told: Mapped[list[str]] = mapped_column(default=list)
    created_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("user.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    ended_at: Mapped[datetime | None] = mapped_column()
