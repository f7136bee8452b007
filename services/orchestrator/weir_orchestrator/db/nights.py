"""What scheduled campaigns are compared with, and what came of it."""

from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from weir_orchestrator.db.base import Base, utc_now

__all__ = ["Baseline", "MoreReplicates", "Night"]


class Baseline(Base):
    """What a schedule's campaigns are compared with; a schedule without one compares nothing.

    kind: `campaign` (campaign_id, None once it is gone), or `last-good`: the schedule's newest
    campaign before that was shown to be not worse.
    """

    __tablename__ = "baseline"

    schedule_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("schedule.id", ondelete="CASCADE"), primary_key=True
    )
    kind: Mapped[str] = mapped_column(String(10))
    campaign_id: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("campaign.id", ondelete="SET NULL")
    )


class Night(Base):
    """A scheduled campaign beside its baseline.

    verdict: same (no metric of any run differs), not worse, worse, cannot tell (something differs,
    and of no metric anything is shown), or not compared.
    worse, better: how many metrics of how many combinations together. changed: of `combinations`.
    told: the worst first, and what was not compared, in sentences.
    """

    __tablename__ = "night"

    campaign_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("campaign.id", ondelete="CASCADE"), primary_key=True
    )
    baseline_id: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("campaign.id", ondelete="SET NULL")
    )
    verdict: Mapped[str] = mapped_column(String(12))
    worse: Mapped[int] = mapped_column(default=0)
    better: Mapped[int] = mapped_column(default=0)
    changed: Mapped[int] = mapped_column(default=0)
    combinations: Mapped[int] = mapped_column(default=0)
    told: Mapped[list[str]] = mapped_column(default=list)
    at: Mapped[datetime] = mapped_column(default=utc_now)


class MoreReplicates(Base):
    """What a night was given more replicates for; it is judged when its baseline has them, too.

    rounds: how often. runs: of both sides, in all rounds.
    """

    __tablename__ = "more_replicates"

    campaign_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("campaign.id", ondelete="CASCADE"), primary_key=True
    )
    baseline_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("campaign.id", ondelete="CASCADE"), index=True
    )
    rounds: Mapped[int] = mapped_column(default=0)
    runs: Mapped[int] = mapped_column(default=0)
