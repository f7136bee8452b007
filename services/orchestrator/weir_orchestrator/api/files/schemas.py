"""Uploaded files as the API shows them."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["FileOut"]


class FileOut(BaseModel):
    """A file of a team."""

    model_config = ConfigDict(from_attributes=True)

    sha256: str = Field(description="Of its content, in hex.")
    size_bytes: int = Field(description="Of its content.")
    created_at: datetime = Field(description="When it was uploaded.")
