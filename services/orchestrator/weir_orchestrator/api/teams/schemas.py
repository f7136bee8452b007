"""Teams and members as the API shows and takes them."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["MemberIn", "MemberOut", "NewTeam", "QuotaOut", "Slug", "TeamChange", "TeamOut"]

Slug = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=60, examples=["qoe-lab"])]
Quota = Annotated[int | None, Field(ge=0, le=2**53, description="Null: no limit.")]
RoleName = Literal["read", "submit", "admin"]


class NewTeam(BaseModel):
    """A team to make."""

    model_config = ConfigDict(extra="forbid")

    slug: Slug
    name: str = Field(min_length=1, max_length=200, examples=["QoE lab"])
    max_running: Quota = None
    max_stored_bytes: Quota = None
    max_runs_per_campaign: Quota = 1_000_000


class TeamChange(BaseModel):
    """What to change; what is left out stays."""

    model_config = ConfigDict(extra="forbid")

    name: str | None = Field(default=None, min_length=1, max_length=200)
    max_running: Quota = None
    max_stored_bytes: Quota = None
    max_runs_per_campaign: Quota = None


class QuotaOut(BaseModel):
    """Quotas and what is used of them."""

    max_running: int | None
    running: int
    max_stored_bytes: int | None
    stored_bytes: int
    max_runs_per_campaign: int | None


class TeamOut(BaseModel):
    """A team. role: the asker's."""

    id: uuid.UUID
    slug: str
    name: str
    role: RoleName | None
    created_at: datetime


class MemberIn(BaseModel):
    """A member's role."""

    model_config = ConfigDict(extra="forbid")

    role: RoleName


class MemberOut(BaseModel):
    """A member of a team."""

    user_id: uuid.UUID
    email: str
    name: str
    role: RoleName
