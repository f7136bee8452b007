"""Columns of large campaigns' runs that have ended, for queries over very many of them."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    LargeBinary,
    func,
    literal,
    select,
)
from sqlalchemy.orm import Mapped, Session, mapped_column

from weir_orchestrator.db.base import Base, utc_now
from weir_orchestrator.db.runs import Run

__all__ = [
    "BLOCK_RUNS",
    "OVER_CLIENTS",
    "Block",
    "BlockValues",
    "MadeBlock",
    "behind",
    "made_blocks",
]

BLOCK_RUNS: Final = 10_000
OVER_CLIENTS: Final = -1
"""The rank of what is a mean over a run's clients; of others see `ResultValues`."""
_BYTES: Final = 8
"""Of a number."""


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


class MadeBlock(NamedTuple):
    """A block that is made. It is never written to again: whoever changes its runs removes it.

    end: as in `Block`. succeeded: how many of its runs did.
    """

    made_at: datetime
    end: int
    succeeded: int


def made_blocks(
    session: Session, campaign_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, tuple[MadeBlock, ...]]:
    """Campaign -> its blocks, from the first on, without a gap."""
    found: dict[uuid.UUID, tuple[MadeBlock, ...]] = dict.fromkeys(campaign_ids, ())
    succeeded = func.length(Block.run, type_=Integer) // _BYTES
    query = select(Block.campaign_id, Block.number, Block.made_at, Block.end, succeeded)
    query = query.where(Block.campaign_id.in_(campaign_ids), Block.run.is_not(None))
    for campaign_id, number, made_at, end, count in session.execute(query.order_by(Block.number)):
        if number == len(found[campaign_id]):
            found[campaign_id] += (MadeBlock(made_at, end, count),)
    return found


def behind(end: int) -> ColumnElement[bool]:
    """What a campaign's runs fulfil that are in none of its blocks, which end there.

    The position stands in the statement: for any, which is how Postgres plans what it was asked
    often, it would look at all runs.
    """
    return Run.position >= literal(end, BigInteger, literal_execute=True)
