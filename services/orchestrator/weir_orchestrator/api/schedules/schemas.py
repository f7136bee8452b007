"""Schedules as the API shows and takes them."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import BaseModel, Field, model_validator

from weir_orchestrator.api.campaigns.schemas import CampaignIn
from weir_orchestrator.api.request_body import RequestBody, Switch

__all__ = [
    "Cron",
    "DueTime",
    "NewSchedule",
    "ScheduleChange",
    "ScheduleDetail",
    "ScheduleOut",
    "TickOut",
    "TimeZone",
]

Name = Annotated[
    str,
    Field(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f\x7f]+$", examples=["nightly"]),
]
Cron = Annotated[
    str,
    Field(
        min_length=9,
        max_length=100,
        pattern=r"^[0-9A-Za-z*/,#\- ]+$",
        description="Minute, hour, day of month, month, day of week.",
        examples=["30 2 * * MON-FRI"],
    ),
]
TimeZone = Annotated[
    str,
    Field(
        min_length=1,
        max_length=60,
        pattern=r"^[A-Za-z0-9_+/-]+$",
        description="A name of the IANA time zones.",
        examples=["Europe/Berlin"],
    ),
]
Overlap = Annotated[
    Literal["skip", "queue", "parallel"],
    Field(description="What to do while the campaign of an earlier time is not over."),
]
Missed = Annotated[
    Literal["once", "skip"],
    Field(description="What to do about times at which the platform was down."),
]
Outcome = Literal["due", "waiting", "submitted", "skipped", "missed", "failed"]


class NewSchedule(RequestBody):
    """A schedule to make; what it submits is kept as it is now.

    Either `campaign`, as for a submission, or `campaign_id`: one that was submitted.
    """

    name: Name
    cron: Cron
    timezone: TimeZone = "UTC"
    overlap: Overlap = "skip"
    missed: Missed = "once"
    enabled: Switch = True
    campaign: CampaignIn | None = None
    campaign_id: uuid.UUID | None = None

    @model_validator(mode="after")
    def _one_campaign(self) -> Self:
        if (self.campaign is None) == (self.campaign_id is None):
            raise ValueError("give either campaign or campaign_id")
        return self


class ScheduleChange(RequestBody):
    """What to change; what is left out or null stays. With a campaign, that one is pinned now."""

    name: Name | None = None
    cron: Cron | None = None
    timezone: TimeZone | None = None
    overlap: Overlap | None = None
    missed: Missed | None = None
    enabled: Switch | None = None
    campaign: CampaignIn | None = None
    campaign_id: uuid.UUID | None = None

    @model_validator(mode="after")
    def _not_two_campaigns(self) -> Self:
        if self.campaign is not None and self.campaign_id is not None:
            raise ValueError("give either campaign or campaign_id")
        return self


class TickOut(BaseModel):
    """A time at which a schedule was due, and what came of it; `detail` says why.

    due: about to be submitted; waiting: for the campaign of an earlier time to be over.
    """

    id: int
    due_at: datetime
    at: datetime
    outcome: Outcome
    detail: str
    campaign: uuid.UUID | None


class ScheduleOut(BaseModel):
    """A schedule. next_at: null while it is disabled. last: its newest tick."""

    id: uuid.UUID
    name: str
    cron: str
    timezone: str
    overlap: Overlap
    missed: Missed
    enabled: bool
    created_by: uuid.UUID | None
    created_at: datetime
    next_at: datetime | None
    last: TickOut | None


class ScheduleDetail(ScheduleOut):
    """A schedule with what it submits."""

    campaign: CampaignIn


class DueTime(BaseModel):
    """A time at which a cron line is due. local: on the clock of the time zone."""

    at: datetime
    local: str = Field(examples=["2026-03-29T03:00:00+02:00"])
