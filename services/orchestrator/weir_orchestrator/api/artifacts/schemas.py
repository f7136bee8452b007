"""Artifacts as the API shows them."""

from __future__ import annotations

from pydantic import BaseModel, Field

__all__ = ["ArtifactOut"]


class ArtifactOut(BaseModel):
    """A file of a run directory."""

    name: str = Field(
        examples=["players/client-1.parquet"], description="Path in the run directory."
    )
    size_bytes: int = Field(description="Of its content.")
    media_type: str = Field(
        examples=["application/vnd.apache.parquet"], description="Of its content."
    )
    url: str = Field(
        examples=["/api/v1/runs/4711/artifacts/players/client-1.parquet"],
        description="Where it is read.",
    )
