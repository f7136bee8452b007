"""Runs as the API shows them."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, Field, PlainSerializer
from weir_engine.states import RunState

from weir_orchestrator.api.campaigns.cell_schemas import CellEvent

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
    """A run in a list."""

    id: int = Field(examples=[4711], description="Of the run.")
    campaign_id: uuid.UUID = Field(description="Whose run it is.")
    position: int = Field(description="From 0, in the campaign's order.")
    combination: int = Field(description="Number of its combination of levels.")
    levels: dict[str, Any] = Field(
        description="Factor path -> level as written.",
        examples=[{"server.congestion_control": "illinois"}],
    )
    replicate: int = Field(description="From 0.")
    seed: ExactSeed
    key: str = Field(description="Runs of one key share a result.")
    state: RunState = Field(description="Where it is.")
    reason: str = Field(description="Of the state; empty where there is nothing to add.")
    attempts: int = Field(
        description="Workers that ended over it, or times that it filled the disk alone."
    )
    wall_s: float | None = Field(description="What it took; null until it ends.")
    queued_at: datetime = Field(description="When it was queued last.")
    started_at: datetime | None = Field(description="When a worker took it.")
    ended_at: datetime | None = Field(description="When it ended.")
    metrics: dict[str, float | None] = Field(
        default={}, description="Those that were asked for; null where it has none."
    )


class HistoryEntry(BaseModel):
    """A state and since when."""

    state: RunState = Field(description="Which.")
    at: datetime = Field(description="Since when.")
    reason: str = Field(default="", description="Why; empty where there is nothing to add.")


class RunDetail(RunOut):
    """All about a run. What its run directory tells is empty until it ends."""

    campaign: str = Field(description="Its name.")
    history: list[HistoryEntry] = Field(
        description="Of the run that made the result, which may be one of another campaign."
    )
    film_s: float | None = Field(description="Experiment's seconds times one.", default=None)
    size_bytes: int | None = Field(default=None, description="Of its files; null until it ends.")
    kernel: dict[str, Any] = Field(default={}, description="release and hash of the lab kernel.")
    roles: dict[str, Any] = Field(default={}, description="Versions of the roles, and their hash.")
    host: dict[str, Any] = Field(default={}, description="Where it ran, and its wall time by part.")
    traceback: str = Field(
        default="",
        description="Of a failed run: where a client's own code or Weir raised an error, as "
        "Python tells it. Empty where nothing was raised.",
    )
    notes: list[Any] = Field(default=[], description="What was done with its input.")
    checks: list[dict[str, Any]] = Field(default=[], description="Asked, applied and measured.")
    commands: list[dict[str, Any]] = Field(default=[], description="Commands that set up the cell.")
    experiment: dict[str, Any] = Field(default={}, description="The resolved experiment.")
    events: list[CellEvent] = Field(
        default=[], description="What it asks to happen to its paths, in order of time."
    )
    whatif_clients: list[int] = Field(
        default=[],
        description="Clients, from 1, of which a what-if may ask for other levels: not those whose "
        "players decide for themselves.",
    )


class ClientMetrics(BaseModel):
    """Metrics of one client."""

    client: int = Field(description="Number in the experiment, from 1.")
    rank: int = Field(description="1 is who streamed at the higher mean bitrate.")
    values: dict[str, float | None] = Field(description="Metric -> value; null: undefined.")


class RunMetrics(BaseModel):
    """Metrics by name; names and units are those of the library's metrics."""

    run: dict[str, float | None] = Field(
        description="Of the run as a whole: metric -> value; null: undefined."
    )
    clients: list[ClientMetrics] = Field(description="Of each client.")
    switch_steps: list[dict[str, int]] = Field(
        default=[],
        description="Of each client by rank: levels up (negative: down) -> number of switches.",
    )
