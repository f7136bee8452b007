"""Columns of large campaigns' runs that have ended, for queries over very many of them."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Final

from sqlalchemy import BigInteger, ForeignKey, ForeignKeyConstraint, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column

from weir_orchestrator.db.base import Base, utc_now

__all__ = ["BLOCK_RUNS", "OVER_CLIENTS", "Block", "BlockValues"]

BLOCK_RUNS: Final = 10_000
OVER_CLIENTS: Final = -1
"""The rank of what is a mean over a run's clients; of others see `ResultValues`."""


class Block(Base):
    """The runs of a campaign at the positions before `end`, from where block `number` - 1 ends.

    position, run, combination, seed, digest: of those that succeeded, in order, (n,) int64 each:
    the run's id, and the digest of its result. null: it is being made, or would be too large. It is
    there before it is made: what changes one of its runs meanwhile removes it.
    """

    __tablename__ = "block"

    campaign_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("campaign.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    end: Mapped[int] = mapped_column(BigInteger)
    position: Mapped[bytes | None] = mapped_column(LargeBinary)
    run: Mapped[bytes | None] = mapped_column(LargeBinary)
    combination: Mapped[bytes | None] = mapped_column(LargeBinary)
    seed: Mapped[bytes | None] = mapped_column(LargeBinary)
    digest: Mapped[bytes | None] = mapped_column(LargeBinary)
    made_at: Mapped[datetime] = mapped_column(default=utc_now)


class BlockValues(Base):
    """A metric of a block's runs, (n,) float64; NaN: a run has none."""

    __tablename__ = "block_values"
    __table_args__ = (
        ForeignKeyConstraint(
            ["campaign_id", "number"], ["block.campaign_id", "block.number"], ondelete="CASCADE"
        ),
    )

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    rank: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    metric_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    packed: Mapped[bytes] = mapped_column(LargeBinary)
