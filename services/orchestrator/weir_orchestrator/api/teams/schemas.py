"""Teams and members as the API shows and takes them."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from weir_orchestrator.api.users.schemas import Email, Label
from weir_orchestrator.db.teams import Role

__all__ = [
    "MemberChange",
    "MemberOut",
    "NewMember",
    "NewTeam",
    "QuotaOut",
    "Slug",
    "TeamChange",
    "TeamOut",
]

Slug = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=60, examples=["qoe-lab"])]
Count = Annotated[int | None, Field(ge=0, le=2**31 - 1, description="Null: no limit.")]
Bytes = Annotated[int | None, Field(ge=0, le=2**53, description="Null: no limit.")]


class NewTeam(BaseModel):
    """A team to make."""

    model_config = ConfigDict(extra="forbid")

    slug: Slug
    name: Label = Field(examples=["QoE lab"])
    max_running: Count = None
    max_stored_bytes: Bytes = None
    max_runs_per_campaign: Count = 1_000_000


class TeamChange(BaseModel):
    """What to change; what is left out stays. The team's administrators change its name, those of
    the installation its quotas, too."""

    model_config = ConfigDict(extra="forbid")

    name: Label | None = Field(default=None, examples=["QoE lab"])
    max_running: Count = None
    max_stored_bytes: Bytes = None
    max_runs_per_campaign: Count = None


class QuotaOut(BaseModel):
    """Quotas and what is used of them."""

    max_running: int | None
    running: int
    max_stored_bytes: int | None
    stored_bytes: int
    max_runs_per_campaign: int | None


class TeamOut(BaseModel):
    """A team. role: the asker's, null for administrators of the installation outside the team."""

    id: uuid.UUID
    slug: str
    name: str
    role: Role | None
    created_at: datetime


class NewMember(BaseModel):
    """A user who joins."""

    model_config = ConfigDict(extra="forbid")

    email: Email
    role: Role


class MemberChange(BaseModel):
    """A member's new role."""

    model_config = ConfigDict(extra="forbid")

    role: Role = Field(examples=["submit"])


class MemberOut(BaseModel):
    """A member of a team."""

    user_id: uuid.UUID
    email: str
    name: str
    role: Role
