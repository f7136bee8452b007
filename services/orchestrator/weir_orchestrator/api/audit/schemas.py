"""The audit log as the API shows them."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from pydantic import BaseModel, Field

__all__ = ["AuditEntryOut"]


class AuditEntryOut(BaseModel):
    """An entry of the audit log: who did what."""

    id: int = Field(description="Larger for later ones.")
    at: datetime = Field(description="When.")
    action: str = Field(
        examples=["campaign.cancel"], description="What was done to which kind of thing."
    )
    object_id: str | None = Field(description="Of the thing; null where it has none.")
    by: str | None = Field(
        description="The user's address; null: the platform, or nobody who signed in."
    )
    token: str | None = Field(description="Name of the API token that it was done with.")
    team_id: uuid.UUID | None = Field(description="Whose thing it is; null: the installation's.")
    address: str | None = Field(description="From where on the network.")
    detail: dict[str, Any] = Field(description="What else belongs to it, by action.")
