"""Teams and members as the API shows and takes them."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from weir_orchestrator.api.request_body import RequestBody, WholeNumber
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
Count = Annotated[WholeNumber | None, Field(ge=0, le=2**31 - 1, description="Null: no limit.")]
Share = Annotated[
    WholeNumber,
    Field(ge=1, le=1000, description="Of the slots, in proportion to other teams that wait."),
]
Bytes = Annotated[WholeNumber | None, Field(ge=0, le=2**53, description="Null: no limit.")]


class NewTeam(RequestBody):
    """A team to make."""

    slug: Slug
    name: Label = Field(examples=["QoE lab"])
    max_running: Count = None
    max_stored_bytes: Bytes = None
    max_runs_per_campaign: Count = 1_000_000
    max_film_h: Count = None
    share: Share = Field(default_factory=lambda: 1)


class TeamChange(RequestBody):
    """What to change; what is left out stays. The team's administrators change its name, those of
    the installation its quotas, too."""

    name: Label | None = Field(default=None, examples=["QoE lab"])
    max_running: Count = None
    max_stored_bytes: Bytes = None
    max_runs_per_campaign: Count = None
    max_film_h: Count = None
    share: Share | None = None


class QuotaOut(BaseModel):
    """Quotas and what is used of them."""

    max_running: int | None
    running: int
    max_stored_bytes: int | None
    stored_bytes: int
    max_runs_per_campaign: int | None
    max_film_h: int | None
    open_film_h: float = Field(description="Of its campaigns that are not over.")
    share: int = Field(description="With twice another team's it has twice as many running.")


class TeamOut(BaseModel):
    """A team. role: the asker's, null for administrators of the installation outside the team."""

    id: uuid.UUID
    slug: str
    name: str
    role: Role | None
    created_at: datetime


class NewMember(RequestBody):
    """A user who joins."""

    email: Email
    role: Role


class MemberChange(RequestBody):
    """A member's new role."""

    role: Role = Field(examples=["submit"])


class MemberOut(BaseModel):
    """A member of a team."""

    user_id: uuid.UUID
    email: str
    name: str
    role: Role
