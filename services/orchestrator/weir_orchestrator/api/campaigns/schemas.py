"""Campaigns as the API shows and takes them."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field
from weir.spec.yamlfile import MAX_FILE_BYTES
from weir_engine.states import BadState

from weir_orchestrator.api.campaigns.cell import CellOut
from weir_orchestrator.api.request_body import RequestBody, WholeNumber
from weir_orchestrator.errors import FieldProblem
from weir_orchestrator.lifecycle import CampaignState

__all__ = [
    "CampaignChange",
    "CampaignIn",
    "CampaignOut",
    "CombinationOut",
    "DocumentOut",
    "EstimateOut",
    "Progress",
    "Rerun",
    "RerunOut",
    "Validation",
]

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Document = Annotated[
    str,
    Field(
        min_length=1,
        max_length=MAX_FILE_BYTES,
        description="The campaign file as YAML or JSON text.",
        examples=["name: quick\nexperiment: {duration: 20s, ...}"],
    ),
]
Files = Annotated[
    dict[Annotated[str, Field(max_length=255)], Sha256],
    Field(
        max_length=200,
        description="Name by which the document refers to a file -> SHA-256 of its content, "
        "uploaded before or of a shipped campaign. *.c are congestion controls, where accepted.",
        examples=[{}],
    ),
]
Overrides = Annotated[
    dict[Annotated[str, Field(max_length=200)], Any],
    Field(
        max_length=100,
        description="Dotted path in the experiment -> value, as `weir run --set` has it.",
        examples=[{"server.congestion_control": "cubic"}],
    ),
]
Replicates = Annotated[WholeNumber, Field(ge=1, le=1_000_000)]
Seed = Annotated[WholeNumber, Field(ge=0, le=2**53)]
Priority = Annotated[
    WholeNumber, Field(ge=-100, le=100, description="Higher goes first in the team.")
]


class CampaignIn(RequestBody):
    """A campaign to check, to estimate or to run."""

    document: Document
    files: Files = Field(default={})
    overrides: Overrides = Field(default={})
    replicates: Replicates | None = Field(default=None, description="Instead of the document's.")
    seed: Seed | None = Field(default=None, description="Instead of the document's.")
    priority: Priority = 0


class CampaignChange(RequestBody):
    """What a clone does differently; what is left out is as in the original."""

    document: Document | None = None
    files: Files | None = None
    overrides: Overrides = Field(default={}, description="Added to the original's.")
    replicates: Replicates | None = None
    seed: Seed | None = None
    priority: Priority | None = None


class Validation(BaseModel):
    """Whether a campaign can be submitted, how large it is, and the cell of its first combination;
    counts and cell are null when it is not.
    """

    valid: bool
    problems: list[FieldProblem] = []
    name: str | None = None
    factors: list[str] = []
    combinations: int | None = None
    runs: int | None = None
    cell: CellOut | None = None


class EstimateOut(BaseModel):
    """What a campaign will cost. runs, film_s: of all of it; known_runs: of these, those that have
    a result already; wall_s, stored_bytes: of the others.

    wall_s: with `jobs` runs at a time, as many as the workers take that are up. exact: every
    combination was looked at, else some. measured_runs: finished runs that the numbers rest on;
    0: the project's benchmarks stand in.
    """

    runs: int
    known_runs: int
    film_s: float
    wall_s: float
    jobs: int
    stored_bytes: int
    exact: bool
    measured_runs: int
    allowed: bool = Field(description="By the team's quotas.")
    refusals: list[str] = Field(description="Why not.")


class CampaignOut(BaseModel):
    """A campaign. counts: state -> number of runs, of those written so far (`expanded`).

    film_s: of these runs together. problems: why it was refused. has_paper: its report puts a
    paper's own numbers beside the measured ones.
    """

    model_config = ConfigDict(from_attributes=True)

    id: uuid.UUID
    name: str
    description: str
    state: CampaignState
    problems: list[FieldProblem]
    factors: list[str]
    priority: int
    combination_count: int
    replicates: int
    run_count: int
    expanded: int
    film_s: float
    has_paper: bool
    counts: dict[str, int]
    kernel_hash: str
    roles_hash: str
    created_by: uuid.UUID | None
    schedule_id: uuid.UUID | None
    cloned_from: uuid.UUID | None
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None


class DocumentOut(BaseModel):
    """A campaign as it was submitted."""

    document: str
    files: dict[str, str]
    overrides: dict[str, Any]
    replicates: int | None
    seed: int | None
    spec: dict[str, Any] = Field(description="All of it in one, with the base merged in.")
    paper: dict[str, Any] | None = Field(description="The file of the paper's numbers, if any.")
    cell: CellOut | None = Field(
        description="Of its first combination; null until its runs are written."
    )


class CombinationOut(BaseModel):
    """One combination of levels, and the states of its runs."""

    number: int
    levels: dict[str, Any]
    counts: dict[str, int]


class Progress(BaseModel):
    """How far a campaign is. Rates are of the last minute; null while nothing ended in it.

    speed: seconds of film per second of wall time. eta_s: null where it cannot be told.
    """

    state: CampaignState
    run_count: int
    expanded: int
    ended: int
    counts: dict[str, int]
    runs_per_s: float | None
    speed: float | None
    eta_s: float | None


class Rerun(RequestBody):
    """Which runs to do again."""

    only: list[BadState] = Field(min_length=1, max_length=3, examples=[["failed", "invalid"]])


class RerunOut(BaseModel):
    """How many runs were queued again."""

    queued: int
