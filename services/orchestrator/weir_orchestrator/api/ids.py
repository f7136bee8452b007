"""Ids in paths and queries, each described once."""

from __future__ import annotations

import uuid
from typing import Annotated

from fastapi import Path

__all__ = ["CampaignId", "CardId", "RunId", "ScheduleId", "TokenId", "UserId", "WebhookId"]

CampaignId = Annotated[uuid.UUID, Path(description="The campaign's id.")]
CardId = Annotated[uuid.UUID, Path(description="The card's id.")]
RunId = Annotated[
    int, Path(ge=1, le=2**53, alias="run", description="The run's id.", examples=[4711])
]
ScheduleId = Annotated[uuid.UUID, Path(description="The schedule's id.")]
TokenId = Annotated[uuid.UUID, Path(description="The token's id.")]
UserId = Annotated[uuid.UUID, Path(description="The user's id.")]
WebhookId = Annotated[uuid.UUID, Path(description="The webhook's id.")]
