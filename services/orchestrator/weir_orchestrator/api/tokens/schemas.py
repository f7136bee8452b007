"""API tokens as the API shows and takes them."""

from __future__ import annotations

import uuid
from datetime import datetime

from pydantic import BaseModel, Field

from weir_orchestrator.api.request_body import RequestBody, WholeNumber
from weir_orchestrator.api.users.schemas import Label
from weir_orchestrator.db.teams import Role

__all__ = ["MadeToken", "NewToken", "TokenOut"]


class NewToken(RequestBody):
    """A token to make. Its scope is at most the maker's role in the team."""

    name: Label = Field(examples=["nightly"], description="As people read it.")
    scope: Role = Field(description="What it may do in the team.")
    expires_in_days: WholeNumber | None = Field(
        default=90, ge=1, le=3650, description="Null: it does not expire."
    )


class TokenOut(BaseModel):
    """A token, without its secret."""

    id: uuid.UUID = Field(description="Of the token.")
    name: str = Field(description="As people read it.")
    scope: Role = Field(description="What it may do in the team.")
    made_by: str | None = Field(description="Address of who made it; null where that user is gone.")
    created_at: datetime = Field(description="When it was made.")
    expires_at: datetime | None = Field(description="Null: it does not expire.")
    revoked_at: datetime | None = Field(description="Null: it was not.")
    last_used_at: datetime | None = Field(description="Null: never.")


class MadeToken(TokenOut):
    """A new token."""

    secret: str = Field(examples=["weir_..."], description="What programs send; told this once.")
