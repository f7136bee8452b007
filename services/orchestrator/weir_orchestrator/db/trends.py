"""How each metric of each combination goes over the nights of a schedule."""

from __future__ import annotations

import uuid

from sqlalchemy import Float, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from weir_orchestrator.db.base import Base, BigId, Json

__all__ = ["Trend", "TrendPoint"]


class Trend(Base):
    """One metric of one combination. combination: weir_engine.levels.identity of its levels."""

    __tablename__ = "trend"
    __table_args__ = (UniqueConstraint("schedule_id", "combination", "metric"),)

    id: Mapped[BigId]
    schedule_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("schedule.id", ondelete="CASCADE"))
    combination: Mapped[str] = mapped_column(String(16))
    metric: Mapped[str] = mapped_column(String(100))
    levels: Mapped[Json] = mapped_column()


class TrendPoint(Base):
    """A night of it.

    n, mean, low, high: of the replicates' values and the mean's 95 % interval, in the metric's
    unit; no interval where all replicates are alike. verdict, before, difference, replicates: see
    weir_engine.regression.Judged; empty where nothing was compared. since_id: the campaign with
    which the segment begins that the night is in. mark: why one begins here: better, worse, higher
    or lower than the one before; kernel or weir: that one is new, and the numbers are others;
    empty: none begins, or the first.
    """

    __tablename__ = "trend_point"
    __table_args__ = (Index(None, "trend_id"),)

    campaign_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("night.campaign_id", ondelete="CASCADE"), primary_key=True
    )
    trend_id: Mapped[int] = mapped_column(
        ForeignKey("trend.id", ondelete="CASCADE"), primary_key=True
    )
    n: Mapped[int] = mapped_column()
    mean: Mapped[float] = mapped_column(Float)
    low: Mapped[float | None] = mapped_column(Float)
    high: Mapped[float | None] = mapped_column(Float)
    verdict: Mapped[str] = mapped_column(String(12), default="")
    before: Mapped[float | None] = mapped_column(Float)
    difference: Mapped[float | None] = mapped_column(Float)
    replicates: Mapped[int | None] = mapped_column()
    since_id: Mapped[uuid.UUID] = mapped_column()
    mark: Mapped[str] = mapped_column(String(10), default="")
