"""Deeds as the API shows them."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from pydantic import BaseModel, Field

__all__ = ["Deed"]


class Deed(BaseModel):
    """One deed. by: the user's address; token: the name of the API token that it was done with."""

    id: int
    at: datetime
    action: str = Field(examples=["campaign.cancel"])
    object_id: str | None
    by: str | None
    token: str | None
    team_id: uuid.UUID | None
    address: str | None
    detail: dict[str, Any]
