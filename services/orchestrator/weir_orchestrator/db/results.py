"""Results of run keys: one per key, shared by every run of that key."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Float,
    ForeignKey,
    Index,
    PrimaryKeyConstraint,
    String,
    UniqueConstraint,
    false,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from weir_orchestrator.db.base import Base, BigId, Json, Numbers, Told, UuidId, utc_now

__all__ = ["Metric", "Pack", "Result", "ResultValues"]


class Pack(Base):
    """An object that holds the run directories of several results; see `Result.pack_id`.

    The row is there before the object. removing: no result is in it, and it gets none any more.
    Its id is random: a database that was restored from a copy, or beside which another one has
    the same store, gives none again. Other contents of an object would be other runs' files.
    """

    __tablename__ = "pack"

    id: Mapped[UuidId]
    made_at: Mapped[datetime] = mapped_column(default=utc_now)
    removing: Mapped[bool] = mapped_column(default=False, server_default=false())


class Result(Base):
    """A finished run key; its run directory is `runs/KK/KEY/` in the object store, or a part of a
    pack: pack_id is set then, and the part is size_bytes from pack_start on.

    outcome: succeeded, invalid, or removing: no campaign refers to it, and what it left in the
    store is being removed; runs of its key wait until that is done.
    team_id: who made it and pays for its bytes.
    metrics: metrics.json. digest: of them (weir_engine.row.digest), so that equal runs are told
    from different ones without reading them. history: dated states of the run that made it.
    """

    __tablename__ = "result"
    # With the id in it, joining runs by key reads this index alone and not the metrics beside.
    __table_args__ = (
        UniqueConstraint("key", postgresql_include=["id"]),
        Index(
            None,
            "pack_id",
            postgresql_where=text("pack_id IS NOT NULL"),
            sqlite_where=text("pack_id IS NOT NULL"),
        ),
    )

    id: Mapped[BigId]
    key: Mapped[str] = mapped_column(String(32))
    team_id: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("team.id", ondelete="SET NULL"), index=True
    )
    outcome: Mapped[str] = mapped_column(String(10))
    reason: Mapped[str] = mapped_column(Told, default="")
    size_bytes: Mapped[int] = mapped_column(BigInteger)
    pack_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("pack.id"))
    pack_start: Mapped[int | None] = mapped_column(BigInteger)
    film_s: Mapped[float] = mapped_column(Float)
    wall_s: Mapped[float] = mapped_column(Float)
    metrics: Mapped[Json] = mapped_column()
    digest: Mapped[int] = mapped_column(BigInteger, server_default="0")
    history: Mapped[list[Any]] = mapped_column(default=list)
    finished_at: Mapped[datetime] = mapped_column(default=utc_now)


class Metric(Base):
    """A metric's name as a small number, from 1: its position in `ResultValues.numbers`. Names are
    those of weir.metrics.CATALOG."""

    __tablename__ = "metric"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(String(100), unique=True)


class ResultValues(Base):
    """The numbers of a run or of one of its clients, for queries over many runs. rank 0: of the
    run itself, else of the client of that rank. What metrics.json leaves null is null.
    """

    __tablename__ = "result_values"
    # What is of one rank in many results stands together.
    __table_args__ = (PrimaryKeyConstraint("rank", "result_id"),)

    result_id: Mapped[int] = mapped_column(ForeignKey("result.id", ondelete="CASCADE"), index=True)
    rank: Mapped[int] = mapped_column()
    numbers: Mapped[list[float | None]] = mapped_column(Numbers)
