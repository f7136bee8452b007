"""Campaigns as the API shows and takes them."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field
from weir.spec.yamlfile import MAX_FILE_BYTES
from weir_engine.states import BadState

from weir_orchestrator.api.campaigns.cell_schemas import CellOut
from weir_orchestrator.api.request_body import RequestBody, Switch, WholeNumber
from weir_orchestrator.errors import FieldProblem
from weir_orchestrator.lifecycle import CampaignState

__all__ = [
    "CampaignChange",
    "CampaignEdit",
    "CampaignIn",
    "CampaignOut",
    "CombinationOut",
    "DocumentOut",
    "EstimateOut",
    "Files",
    "Rerun",
    "RerunOut",
    "Subjects",
    "Tag",
    "TagOut",
    "Validation",
    "Version",
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
Version = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[!-~][ -~]*$")]
Subjects = Annotated[
    dict[Annotated[str, Field(max_length=255)], Version],
    Field(
        max_length=200,
        description="Name of a file that is under test -> its version, as a commit.",
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
    subjects: Subjects = Field(default_factory=dict)
    overrides: Overrides = Field(default={})
    replicates: Replicates | None = Field(default=None, description="Instead of the document's.")
    seed: Seed | None = Field(default=None, description="Instead of the document's.")
    priority: Priority = 0


class CampaignChange(RequestBody):
    """What a clone does differently; what is left out is as in the original."""

    document: Document | None = Field(default=None, description="Instead of the original's.")
    files: Files | None = Field(default=None, description="Instead of the original's.")
    overrides: Overrides = Field(default={}, description="Added to the original's.")
    replicates: Replicates | None = Field(default=None, description="Instead of the original's.")
    seed: Seed | None = Field(default=None, description="Instead of the original's.")
    priority: Priority | None = Field(
        default=None, description="Instead of the original's; higher goes first in the team."
    )


Tag = Annotated[
    str,
    Field(max_length=40, pattern=r"^\w([\w .:/+-]*\w)?$", examples=["paper"]),
]


class CampaignEdit(RequestBody):
    """What people say of a campaign; what is left out or null stays. Its runs do not change."""

    name: str | None = Field(
        default=None,
        pattern=r"^[a-z0-9][a-z0-9._-]{0,99}$",
        description="In lists and reports; its document keeps its own.",
        examples=["first-look"],
    )
    tags: list[Tag] | None = Field(
        default=None, max_length=20, description="Instead of those so far; lists filter by them."
    )
    notes: Annotated[str, Field(max_length=10_000, pattern=r"^[^\x00]*$")] | None = Field(
        default=None, description="Instead of those so far."
    )
    archived: Switch | None = Field(
        default=None, description="true: lists leave it out; false: it is among the others again."
    )


class TagOut(BaseModel):
    """A tag of a team's campaigns."""

    tag: str = Field(description="As people gave it.")
    campaigns: int = Field(description="How many have it, archived ones, too.")


class Validation(BaseModel):
    """Whether a campaign can be submitted, how large it is, and its first cell."""

    valid: bool = Field(description="Whether it can be submitted.")
    problems: list[FieldProblem] = Field(default=[], description="Why it cannot.")
    name: str | None = Field(default=None, description="Of the campaign.")
    factors: list[str] = Field(default=[], description="Paths of what it varies.")
    combinations: int | None = Field(
        default=None, description="Of levels; null where it is not valid."
    )
    runs: int | None = Field(
        default=None, description="Combinations times replicates; null where it is not valid."
    )
    at_most: bool = Field(default=False, description="It searches: it may come to fewer runs.")
    cell: CellOut | None = Field(
        default=None, description="Of its first combination; null where it is not valid."
    )


class EstimateOut(BaseModel):
    """What a campaign will cost."""

    runs: int = Field(description="Of all of it; of a search as many as it may come to.")
    known_runs: int = Field(description="Those of them that have a result already.")
    film_s: float = Field(description="Of all runs together.")
    wall_s: float = Field(description="Of the runs that have no result yet, `jobs` at a time.")
    jobs: int = Field(description="Runs at a time: as many as the workers take that are up.")
    stored_bytes: int = Field(description="Of the runs that have no result yet.")
    exact: bool = Field(description="Every combination was looked at, else some.")
    measured_runs: int = Field(
        description="Finished runs that the numbers rest on; 0: the project's benchmarks stand in."
    )
    allowed: bool = Field(description="By the team's quotas.")
    refusals: list[str] = Field(description="Why not.")


class CampaignOut(BaseModel):
    """A campaign. Its runs are written some at a time after it was submitted."""

    model_config = ConfigDict(from_attributes=True)

    id: uuid.UUID = Field(description="Of the campaign.")
    name: str = Field(description="As its document has it, or as it was renamed.")
    description: str = Field(description="As its document has it.")
    state: CampaignState = Field(description="Where it is.")
    problems: list[FieldProblem] = Field(description="Why it was refused.")
    factors: list[str] = Field(description="Paths of what it varies.")
    subjects: dict[str, str] = Field(
        description="Name of a file that is under test -> its version, as a commit."
    )
    priority: int = Field(description="Higher goes first in the team.")
    combination_count: int = Field(description="Of levels.")
    replicates: int = Field(description="Runs of each combination.")
    run_count: int = Field(
        description="Combinations times replicates; of a search those that it has come to."
    )
    expanded: int = Field(description="Runs that are written so far.")
    film_s: float = Field(description="Of the runs that are written, together.")
    has_paper: bool = Field(
        description="Its report puts a paper's own numbers beside the measured ones."
    )
    has_question: bool = Field(description="It asks whether one level beats the other one.")
    has_search: bool = Field(description="It searches for levels of a factor that pass.")
    searching: bool = Field(description="Its search goes on: more runs may follow.")
    counts: dict[str, int] = Field(
        description="State -> number of runs, of those that are written."
    )
    kernel_hash: str = Field(description="Of the lab kernel that its runs need, or of all of them.")
    roles_hash: str = Field(description="Of the programs in the cell.")
    created_by: uuid.UUID | None = Field(description="User; null where that one is gone.")
    schedule_id: uuid.UUID | None = Field(
        description="That submitted it; null: a person or a program did."
    )
    cloned_from: uuid.UUID | None = Field(description="The original; null: it is no clone.")
    created_at: datetime = Field(description="When it was submitted.")
    started_at: datetime | None = Field(description="When its first run began.")
    ended_at: datetime | None = Field(description="When its last run ended.")
    tags: list[str] = Field(description="By people, by the alphabet.")
    notes: str = Field(description="By people.")
    archived_at: datetime | None = Field(
        description="Since when lists leave it out; null: they show it."
    )


class DocumentOut(BaseModel):
    """A campaign as it was submitted."""

    document: str = Field(description="The campaign file as YAML or JSON text.")
    files: dict[str, str] = Field(
        description="Name by which the document refers to a file -> SHA-256 of its content."
    )
    overrides: dict[str, Any] = Field(description="Dotted path in the experiment -> value.")
    replicates: int | None = Field(description="Instead of the document's; null: the document's.")
    seed: int | None = Field(description="Instead of the document's; null: the document's.")
    spec: dict[str, Any] = Field(description="All of it in one, with the base merged in.")
    paper: dict[str, Any] | None = Field(description="The file of the paper's numbers, if any.")
    cell: CellOut | None = Field(
        description="Of its first combination; null until its runs are written."
    )


class CombinationOut(BaseModel):
    """One combination of levels, and the states of its runs."""

    number: int = Field(description="From 0, in the campaign's order.")
    levels: dict[str, Any] = Field(description="Factor path -> level as written.")
    counts: dict[str, int] = Field(description="State -> number of its runs.")


class Rerun(RequestBody):
    """Which runs to do again."""

    only: list[BadState] = Field(
        min_length=1,
        max_length=3,
        examples=[["failed", "invalid"]],
        description="Runs in these states.",
    )


class RerunOut(BaseModel):
    """How many runs were queued again."""

    queued: int = Field(description="Runs that are queued again.")
