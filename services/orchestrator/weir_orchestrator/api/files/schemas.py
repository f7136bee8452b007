"""Uploaded files as the API shows them."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict

__all__ = ["FileOut"]


class FileOut(BaseModel):
    """A file of a team."""

    model_config = ConfigDict(from_attributes=True)

    sha256: str
    size_bytes: int
    created_at: datetime
