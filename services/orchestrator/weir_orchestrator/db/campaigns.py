"""Campaigns as submitted, and the combinations of levels they expand to."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    ColumnElement,
    Float,
    ForeignKey,
    Index,
    String,
    Text,
    false,
)
from sqlalchemy.orm import Mapped, mapped_column
from weir.resolved import Experiment

from weir_orchestrator.db.base import Base, Json, UuidId, utc_now

__all__ = [
    "Campaign",
    "CampaignTag",
    "Combination",
    "IdempotencyKey",
    "UploadedFile",
    "asks_question",
    "asks_search",
]


class Campaign(Base):
    """One submission of a campaign. state: see weir_orchestrator.lifecycle.

    document: the YAML as submitted, with overrides, asked_replicates and asked_seed beside it;
    spec: all of them in one, with its bases merged in, from which the runs are made.
    files: name -> SHA-256 of uploaded files it refers to. subjects: name -> version, as a commit,
    of those files that are under test.
    counts: state -> number of runs, stored when the campaign ends; before that they are counted.
    expanded: runs written so far, of `run_count`; film_s: how much film they are together;
    asked_film_s: how much all runs are, estimated when it was submitted.
    searching: its search goes on, and more runs follow those of `run_count`.
    kernel_hash: what a worker must have: its lab kernel, or all of its kernels by one name.
    notes: by people. archived_at: since when lists leave it out.
    """

    __tablename__ = "campaign"
    __table_args__ = (
        Index(None, "team_id", "created_at", "id"),
        Index(None, "state"),
        Index(None, "team_id", "name"),
    )

    id: Mapped[UuidId]
    team_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(100))
    description: Mapped[str] = mapped_column(Text, default="")
    document: Mapped[str] = mapped_column(Text)
    files: Mapped[Json] = mapped_column(default=dict)
    subjects: Mapped[Json] = mapped_column(default=dict, server_default="{}")
    overrides: Mapped[Json] = mapped_column(default=dict)
    asked_replicates: Mapped[int | None] = mapped_column()
    asked_seed: Mapped[int | None] = mapped_column(BigInteger)
    spec: Mapped[Json] = mapped_column(default=dict)
    factors: Mapped[list[str]] = mapped_column(default=list)
    paper: Mapped[Json | None] = mapped_column()
    kernel_hash: Mapped[str] = mapped_column(String(64))
    roles_hash: Mapped[str] = mapped_column(String(64))
    state: Mapped[str] = mapped_column(String(12), default="expanding")
    problems: Mapped[list[Any]] = mapped_column(default=list)
    priority: Mapped[int] = mapped_column(default=0)
    combination_count: Mapped[int] = mapped_column(BigInteger)
    replicates: Mapped[int] = mapped_column()
    run_count: Mapped[int] = mapped_column(BigInteger)
    expanded: Mapped[int] = mapped_column(BigInteger, default=0)
    film_s: Mapped[float] = mapped_column(Float, default=0.0)
    searching: Mapped[bool] = mapped_column(default=False, server_default=false())
    asked_film_s: Mapped[float] = mapped_column(Float, default=0.0, server_default="0")
    counts: Mapped[Json | None] = mapped_column()
    created_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("user.id", ondelete="SET NULL"))
    schedule_id: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("schedule.id", ondelete="SET NULL")
    )
    cloned_from: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("campaign.id", ondelete="SET NULL")
    )
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    started_at: Mapped[datetime | None] = mapped_column()
    ended_at: Mapped[datetime | None] = mapped_column()
    notes: Mapped[str] = mapped_column(Text, default="", server_default="")
    archived_at: Mapped[datetime | None] = mapped_column()


class CampaignTag(Base):
    """A word that people gave a campaign, to find it by."""

    __tablename__ = "campaign_tag"

    campaign_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("campaign.id", ondelete="CASCADE"), primary_key=True
    )
    tag: Mapped[str] = mapped_column(String(40), primary_key=True)


def asks_question() -> ColumnElement[bool]:
    """Of campaigns whose spec has a question; their specs are not read for it."""
    metric: ColumnElement[str | None] = Campaign.spec["question"]["metric"].as_string()
    return metric.is_not(None)


def asks_search() -> ColumnElement[bool]:
    """Of campaigns whose spec has a search; their specs are not read for it."""
    factor: ColumnElement[str | None] = Campaign.spec["search"]["factor"].as_string()
    return factor.is_not(None)


class Combination(Base):
    """One combination of levels of a campaign. experiment: see weir.resolved.

    kernel_hash: of its kernel, where the campaign changes kernels; null: the campaign's.
    """

    __tablename__ = "combination"

    campaign_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("campaign.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    levels: Mapped[Json] = mapped_column()
    experiment: Mapped[Experiment] = mapped_column(JSON(none_as_null=True))
    kernel_hash: Mapped[str | None] = mapped_column(String(64))


class UploadedFile(Base):
    """A file that a team's campaigns refer to; its bytes are in the object store.

    used_at: last uploaded or named in a request.
    """

    __tablename__ = "uploaded_file"

    team_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("team.id", ondelete="CASCADE"), primary_key=True
    )
    sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    size_bytes: Mapped[int] = mapped_column(BigInteger)
    created_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("user.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    used_at: Mapped[datetime] = mapped_column(default=utc_now, index=True)


class IdempotencyKey(Base):
    """What a submission with this Idempotency-Key made, so that it is made once."""

    __tablename__ = "idempotency_key"

    team_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("team.id", ondelete="CASCADE"), primary_key=True
    )
    key: Mapped[str] = mapped_column(String(200), primary_key=True)
    request_hash: Mapped[str] = mapped_column(String(64))
    campaign_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("campaign.id", ondelete="CASCADE"))
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
