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

    slug: Slug = Field(description="Its name in addresses.")
    name: Label = Field(examples=["QoE lab"], description="As people read it.")
    max_running: Count = None
    max_stored_bytes: Bytes = None
    max_runs_per_campaign: Count = 1_000_000
    max_film_h: Count = None
    share: Share = Field(default_factory=lambda: 1)


class TeamChange(RequestBody):
    """What to change; what is left out stays. The team's administrators change its name, those of
    the installation its quotas, too."""

    name: Label | None = Field(default=None, examples=["QoE lab"], description="As people read it.")
    max_running: Count = None
    max_stored_bytes: Bytes = None
    max_runs_per_campaign: Count = None
    max_film_h: Count = None
    share: Share | None = Field(
        default=None, description="Of the slots, in proportion to other teams that wait."
    )


class QuotaOut(BaseModel):
    """Quotas and what is used of them."""

    max_running: int | None = Field(description="Runs at a time; null: no limit.")
    running: int = Field(description="Runs that are carried out now.")
    max_stored_bytes: int | None = Field(description="Of results and files; null: no limit.")
    stored_bytes: int = Field(
        description="Of the results that its campaigns refer to, and its files."
    )
    max_runs_per_campaign: int | None = Field(description="Null: no limit.")
    max_film_h: int | None = Field(
        description="Hours of film of campaigns that are not over; null: no limit."
    )
    open_film_h: float = Field(description="Of its campaigns that are not over.")
    share: int = Field(description="With twice another team's it has twice as many running.")


class TeamOut(BaseModel):
    """A team."""

    id: uuid.UUID = Field(description="Of the team.")
    slug: str = Field(description="Its name in addresses.")
    name: str = Field(description="As people read it.")
    role: Role | None = Field(
        description="The asker's; null for administrators of the installation outside the team."
    )
    created_at: datetime = Field(description="When it was made.")


class NewMember(RequestBody):
    """A user who joins."""

    email: Email = Field(description="Of a user that there is.")
    role: Role = Field(description="What they may do in the team.")


class MemberChange(RequestBody):
    """A member's new role."""

    role: Role = Field(examples=["submit"], description="What they may do in the team.")


class MemberOut(BaseModel):
    """A member of a team."""

    user_id: uuid.UUID = Field(description="Of the user.")
    email: str = Field(description="Of the user.")
    name: str = Field(description="As people read it.")
    role: Role = Field(description="What they may do in the team.")
