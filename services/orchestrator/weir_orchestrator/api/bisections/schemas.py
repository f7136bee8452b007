"""Bisections as the API shows and takes them."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from weir_orchestrator.api.request_body import RequestBody

__all__ = ["BisectionOut", "NewBisection", "StepOut"]


class NewBisection(RequestBody):
    """Between which nights to look."""

    bad: uuid.UUID = Field(
        description="Campaign of the night in which results changed, for the worse or otherwise.",
        examples=["9c858901-8a57-4791-81fe-4c455b099bc9"],
    )
    good: uuid.UUID | None = Field(
        default=None, description="Campaign of a night before; null: the bad one's baseline."
    )
    subject: str | None = Field(
        default=None, max_length=255, description="Which file, where several changed."
    )


class StepOut(BaseModel):
    """A commit that was run."""

    commit: str = Field(description="Whole.")
    campaign: uuid.UUID = Field(description="Its runs.")
    outcome: Literal["good", "bad", "skipped"] = Field(
        description="good, bad: as the night of that name; skipped: none of its runs succeeded."
    )
    told: list[str] = Field(description="Why.")


class BisectionOut(BaseModel):
    """The commits between two nights, halved until the first that moved results is left."""

    id: uuid.UUID = Field(description="Of the bisection.")
    schedule: uuid.UUID = Field(description="Whose nights they are.")
    subject: str = Field(description="Which file changed.")
    good: uuid.UUID = Field(description="The good night's campaign.")
    bad: uuid.UUID = Field(description="The bad night's campaign.")
    state: Literal["running", "found", "ended"] = Field(
        description="ended: it was not found, `told` says why."
    )
    first_bad: str | None = Field(
        description="The first commit that is as the bad night; null: not found yet, or not at all."
    )
    left: int = Field(description="Commits of which one is the first that is as the bad night.")
    campaign: uuid.UUID | None = Field(
        description="Of the commit that is being run; null: none is."
    )
    steps: list[StepOut] = Field(description="Commits that were run, in that order.")
    told: list[str] = Field(
        description="What differs between the two nights; at the end the commit, and its evidence."
    )
    created_at: datetime = Field(description="When it was asked for.")
    ended_at: datetime | None = Field(description="When it was over; null: it goes on.")
