"""Teams, their people, and how they prove who they are."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Literal

from sqlalchemy import BigInteger, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from weir_orchestrator.db.base import Base, UuidId, utc_now

__all__ = ["LoginSession", "Membership", "Role", "Team", "Token", "User"]

Role = Literal["read", "submit", "admin"]
"""Of members and tokens; each holds the rights of those before it."""


class Team(Base):
    """Who owns campaigns. Quotas: None is no limit.

    max_film_h: of campaigns that are not over, together. share: of two teams with runs to do, one
    with twice the share has twice as many running.
    """

    __tablename__ = "team"

    id: Mapped[UuidId]
    slug: Mapped[str] = mapped_column(String(60), unique=True)
    name: Mapped[str] = mapped_column(String(200))
    max_running: Mapped[int | None] = mapped_column()
    max_stored_bytes: Mapped[int | None] = mapped_column(BigInteger)
    max_runs_per_campaign: Mapped[int | None] = mapped_column()
    max_film_h: Mapped[int | None] = mapped_column()
    share: Mapped[int] = mapped_column(default=1, server_default="1")
    created_at: Mapped[datetime] = mapped_column(default=utc_now)


class User(Base):
    """A person. `is_admin`: of the whole installation (users, teams, quotas)."""

    __tablename__ = "user"
    __table_args__ = (UniqueConstraint("oidc_issuer", "oidc_subject"),)

    id: Mapped[UuidId]
    email: Mapped[str] = mapped_column(String(320), unique=True)
    name: Mapped[str] = mapped_column(String(200))
    password_hash: Mapped[str | None] = mapped_column(String(200))
    is_admin: Mapped[bool] = mapped_column(default=False)
    disabled: Mapped[bool] = mapped_column(default=False)
    oidc_issuer: Mapped[str | None] = mapped_column(String(500))
    oidc_subject: Mapped[str | None] = mapped_column(String(255))
    created_at: Mapped[datetime] = mapped_column(default=utc_now)


class Membership(Base):
    """A user in a team."""

    __tablename__ = "membership"

    team_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("team.id", ondelete="CASCADE"), primary_key=True
    )
    user_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("user.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    role: Mapped[Role] = mapped_column(String(10))

    team: Mapped[Team] = relationship(lazy="raise")
    user: Mapped[User] = relationship(lazy="raise")


class LoginSession(Base):
    """A browser that signed in. `id`: SHA-256 of the cookie's secret."""

    __tablename__ = "login_session"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("user.id", ondelete="CASCADE"))
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    expires_at: Mapped[datetime] = mapped_column()

    user: Mapped[User] = relationship(lazy="raise")


class Token(Base):
    """An API token of one team. `secret_hash`: SHA-256 of the secret, which is shown once."""

    __tablename__ = "token"

    id: Mapped[UuidId]
    team_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("team.id", ondelete="CASCADE"), index=True
    )
    created_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("user.id", ondelete="SET NULL"))
    name: Mapped[str] = mapped_column(String(200))
    scope: Mapped[Role] = mapped_column(String(10))
    secret_hash: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    expires_at: Mapped[datetime | None] = mapped_column()
    revoked_at: Mapped[datetime | None] = mapped_column()
    last_used_at: Mapped[datetime | None] = mapped_column()

    team: Mapped[Team] = relationship(lazy="raise")
