"""Runs as the API shows them."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, Field, PlainSerializer
from weir_engine.states import RunState

__all__ = [
    "ClientMetrics",
    "HistoryEntry",
    "RunDetail",
    "RunMetrics",
    "RunOut",
]


ExactSeed = Annotated[
    int,
    PlainSerializer(str, return_type=str, when_used="json"),
    Field(
        description="Decimal digits: more of them than some programs keep of a JSON number.",
        examples=["6364136223846793005"],
    ),
]


class RunOut(BaseModel):
    """A run in a list. metrics: those that were asked for; null where it has none."""

    id: int = Field(examples=[4711])
    campaign_id: uuid.UUID
    position: int = Field(description="From 0, in the campaign's order.")
    combination: int = Field(description="Number of its combination of levels.")
    levels: dict[str, Any] = Field(
        description="Factor path -> level as written.",
        examples=[{"server.congestion_control": "illinois"}],
    )
    replicate: int = Field(description="From 0.")
    seed: ExactSeed
    key: str = Field(description="Runs of one key share a result.")
    state: RunState
    reason: str
    attempts: int
    wall_s: float | None
    queued_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    metrics: dict[str, float | None] = {}


class HistoryEntry(BaseModel):
    """A state and since when."""

    state: RunState
    at: datetime
    reason: str = ""


class RunDetail(RunOut):
    """All about a run. What its run directory tells is empty until it ends.

    history: of the run that made the result, which may be one of another campaign.
    """

    campaign: str
    history: list[HistoryEntry]
    film_s: float | None = Field(description="Experiment's seconds times one.", default=None)
    size_bytes: int | None = None
    kernel: dict[str, Any] = Field(default={}, description="release and hash of the lab kernel.")
    roles: dict[str, Any] = Field(default={}, description="Versions of the roles, and their hash.")
    host: dict[str, Any] = Field(default={}, description="Where it ran, and its wall time by part.")
    notes: list[Any] = Field(default=[], description="What was done with its input.")
    checks: list[dict[str, Any]] = Field(default=[], description="Asked, applied and measured.")
    commands: list[dict[str, Any]] = Field(default=[], description="Commands that set up the cell.")
    experiment: dict[str, Any] = Field(default={}, description="The resolved experiment.")


class ClientMetrics(BaseModel):
    """Metrics of one client. rank: 1 is who streamed at the higher mean bitrate."""

    client: int
    rank: int
    values: dict[str, float | None]


class RunMetrics(BaseModel):
    """Metrics by name; names and units are those of the library's metrics."""

    run: dict[str, float | None]
    clients: list[ClientMetrics]
    switch_steps: list[dict[str, int]] = []
