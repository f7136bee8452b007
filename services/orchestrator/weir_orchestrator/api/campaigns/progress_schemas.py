"""How far a campaign is, as the API shows it."""

from __future__ import annotations

from pydantic import BaseModel, Field

from weir_orchestrator.lifecycle import CampaignState

__all__ = ["KernelBuild", "Progress", "SearchProgress"]


class KernelBuild(BaseModel):
    """A kernel that a campaign waits for, and that a worker builds."""

    number: int = Field(description="Which one of the campaign's kernels it is, from 1.")
    of: int = Field(description="How many the campaign needs beside the lab's own.")
    done: int = Field(description="Steps that are done.")
    total: int = Field(description="Steps that are expected; 0: unknown.")
    what: str = Field(description="What is being done, in the compiler's words.")
    host: str = Field(description="The worker's host.")


class SearchProgress(BaseModel):
    """How far a campaign's search is."""

    subjects: int = Field(description="Combinations, or replicates of them, that are searched.")
    ended: int = Field(description="Those that have a level, or cannot have one.")
    levels_tried: int = Field(description="Of all subjects together.")
    most_runs: int = Field(description="That the search may come to.")
    exceptions: int = Field(description="Levels beyond the found ones that fail, of all together.")


class Progress(BaseModel):
    """How far a campaign is."""

    state: CampaignState = Field(description="Where the campaign is.")
    run_count: int = Field(description="Of all of it; of a search those that it has come to.")
    expanded: int = Field(description="Runs that are written so far.")
    ended: int = Field(description="Runs that are over.")
    counts: dict[str, int] = Field(description="State -> number of runs.")
    runs_per_s: float | None = Field(
        description="Carried out in the last minute, or 15 where fewer than 5 were; null: none."
    )
    speed: float | None = Field(
        description="Seconds of film per second of wall time, lately; null: none."
    )
    eta_s: float | None = Field(
        description="Until its last run ends; null where it cannot be told, as of a search."
    )
    search: SearchProgress | None = Field(description="Of its search; null: it has none.")
    kernel_build: KernelBuild | None = Field(
        description="The kernel of its own that is built before its runs; null: none is now."
    )
