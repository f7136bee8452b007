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

    name: Label = Field(examples=["nightly"])
    scope: Role
    expires_in_days: WholeNumber | None = Field(
        default=90, ge=1, le=3650, description="Null: it does not expire."
    )


class TokenOut(BaseModel):
    """A token, without its secret. made_by: the address of who made it."""

    id: uuid.UUID
    name: str
    scope: Role
    made_by: str | None
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None


class MadeToken(TokenOut):
    """A new token; `secret` is told this once."""

    secret: str = Field(examples=["weir_..."])
