"""Reproductions of cards as the API shows them."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

__all__ = ["DifferingRun", "NotCompared", "ReproductionEstimate", "ReproductionOut"]


class NotCompared(BaseModel):
    """Runs that were not, or could not be, compared."""

    reason: str = Field(description="Why.")
    runs: int = Field(description="How many.")


class DifferingRun(BaseModel):
    """A run whose bytes are not those stored."""

    run: int = Field(description="In the card. It may have been deleted since.")
    again: int = Field(
        description="The one that was carried out again, whose files are those of a failed run. It "
        "may have been deleted since."
    )
    key: str = Field(description="Of both.")
    files: list[str] = Field(description="That differ, or that one of them has not.")


class ReproductionEstimate(BaseModel):
    """What carrying a card's runs out again would cost now."""

    runs: int = Field(description="To be carried out, one for every key; 0: none can be.")
    film_s: float = Field(description="Of all of them.")
    wall_s: float = Field(description="With `jobs` runs at a time.")
    jobs: int = Field(description="Of the workers that are up; 1 where there is none.")
    left_out: list[NotCompared] = Field(description="Runs of the card that cannot be compared.")
    allowed: bool = Field(description="Whether the team's quotas have room.")
    refusals: list[str] = Field(description="Why they have not.")


class ReproductionOut(BaseModel):
    """A card's runs, carried out again and compared with the stored ones, file by file."""

    id: uuid.UUID = Field(description="Of the reproduction.")
    verdict: Literal["same", "different", "incomplete"] | None = Field(
        description="same: every run that the card shows has the same bytes, host.json apart; "
        "different: at least one has not; incomplete: none differs, but some were not compared; "
        "null: it goes on."
    )
    runs: int = Field(description="That are carried out.")
    ended: int = Field(description="Of these.")
    same: int = Field(description="Of these, those with the same bytes.")
    differing: list[DifferingRun] = Field(description="Those with other bytes.")
    failed: list[NotCompared] = Field(description="Those that could not be compared.")
    left_out: list[NotCompared] = Field(description="Of the card, that are not carried out.")
    campaigns: list[uuid.UUID] = Field(
        description="That carry the runs out, as any other. They may have been deleted since."
    )
    created_by: str | None = Field(description="That one's address; null where gone.")
    created_at: datetime = Field(description="When it was asked for.")
    ended_at: datetime | None = Field(description="When it was over; null: it goes on.")
