"""Searches as the API shows them."""

from __future__ import annotations

import uuid
from typing import Any, Literal

from pydantic import BaseModel, Field
from weir_engine.states import RunState

from weir_orchestrator.api.library.schemas import MetricOut

__all__ = ["SearchOut", "SearchedLevel", "SearchedRun", "SearchedSubject", "Trial", "Verdict"]

Verdict = Literal["passed", "failed", "open", "unknown"]


class SearchedLevel(BaseModel):
    """A level of the factor that is searched."""

    text: str = Field(description="As written.", examples=["1.5Mbit/s"])
    number: float = Field(description="In SI units, or its number.", examples=[1_500_000])


class SearchedRun(BaseModel):
    """A run at a level."""

    id: int = Field(description="Of the run.")
    replicate: int = Field(description="From 0.")
    state: RunState = Field(description="How far it is.")


class Trial(BaseModel):
    """A level that a subject has come to."""

    level: SearchedLevel = Field(description="Which one.")
    verdict: Verdict = Field(
        description="Of all replicates; open: runs of it go on; unknown: nobody can tell."
    )
    value: float | None = Field(
        description="The metric's value that decides: the worst one; null: none is known yet."
    )
    runs: list[SearchedRun] = Field(description="Its runs, by replicate.")


class SearchedSubject(BaseModel):
    """What is searched by itself: a combination of the other levels, or a replicate of it."""

    levels: dict[str, Any] = Field(description="Factor path -> level, of the other factors.")
    replicate: int | None = Field(description="From 0; null: all of them have to pass.")
    state: Literal["searching", "found", "none"] = Field(
        description="none: there is no level, or it cannot be told; see `reason`."
    )
    level: SearchedLevel | None = Field(description="The one that was found.")
    exceptions: list[SearchedLevel] = Field(description="Levels beyond it that fail all the same.")
    reason: str = Field(description="Why there is none; empty: there is, or it goes on.")
    fails_at: SearchedLevel | None = Field(
        description="The last level that fails, from where the found one is; null: not known."
    )
    passes_at: SearchedLevel | None = Field(
        description="The first that passes, up to where the found one is; null: not known."
    )
    trials: list[Trial] = Field(description="Levels that were tried or are, from low to high.")


class SearchOut(BaseModel):
    """What a campaign's search found, or how far it has narrowed."""

    campaign_id: uuid.UUID = Field(description="Whose search.")
    factor: str = Field(description="Path of what is searched.")
    find: Literal["smallest", "largest"] = Field(description="Which of the levels that pass.")
    low: SearchedLevel = Field(description="Where the levels begin.")
    high: SearchedLevel = Field(description="Where they end.")
    step: str = Field(description="Between two levels.")
    levels: int = Field(description="How many there are.")
    metric: MetricOut = Field(description="That decides whether a level passes.")
    at_most: float | None = Field(description="In the metric's unit; null: no such bound.")
    at_least: float | None = Field(description="In the metric's unit; null: no such bound.")
    per: Literal["combination", "replicate"] = Field(description="What is searched by itself.")
    confirm: int = Field(description="Steps beyond the found level that are tried, too.")
    sentence: str = Field(description="How far it is, in words.")
    is_told: bool = Field(description="Whether every subject has a level, or cannot have one.")
    subject_count: int = Field(description="How many there are; `subjects` lists the first.")
    ended: int = Field(description="Of all of them, those that have a level or cannot have one.")
    levels_tried: int = Field(description="Of all subjects together.")
    exceptions: int = Field(description="Levels beyond the found ones that fail, of all together.")
    runs: int = Field(description="That it has come to so far.")
    most_runs: int = Field(description="That it may come to.")
    subjects: list[SearchedSubject] = Field(description="In the campaign's order.")
