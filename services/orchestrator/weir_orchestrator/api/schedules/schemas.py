"""Schedules as the API shows and takes them."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated, Final, Literal, Self

from pydantic import BaseModel, Field, model_validator

from weir_orchestrator.api.campaigns.schemas import CampaignIn, Files, Subjects, Version
from weir_orchestrator.api.request_body import RequestBody, Switch, WholeNumber
from weir_orchestrator.api.schedules.subject_schemas import SubjectOut, TakenFrom
from weir_orchestrator.db import Night

__all__ = [
    "SET",
    "ComparedWith",
    "Cron",
    "DueTime",
    "NewNight",
    "NewSchedule",
    "NightOut",
    "ScheduleChange",
    "ScheduleDetail",
    "ScheduleOut",
    "TickOut",
    "TimeZone",
    "VersionRan",
]

SET: Final = ("cron", "timezone", "overlap", "missed", "effects", "most_replicates", "mail_to")
"""Fields of a schedule that stand as they are given, and are shown so."""

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
ComparedWith = Annotated[
    Literal["none", "last-good"] | uuid.UUID,
    Field(
        description="What its campaigns are judged against: a campaign; last-good: the newest one "
        "of the schedule before that was shown to be not worse; none."
    ),
]
Effects = Annotated[
    dict[Annotated[str, Field(max_length=100)], Annotated[str, Field(max_length=30)]],
    Field(
        max_length=200,
        description="Metric -> from which difference on it matters: in its unit, or in % of the "
        "baseline. Others have the defaults (docs/regressions.md).",
        examples=[{"stall_mean_s": "0.5", "jain": "3%"}],
    ),
]
MailTo = Annotated[
    list[Annotated[str, Field(max_length=320)]],
    Field(
        max_length=50,
        description="Members of the team, by their addresses, who are told by e-mail of nights "
        "that are worse.",
        examples=[["ada@example.org"]],
    ),
]
MostReplicates = Annotated[
    WholeNumber,
    Field(
        ge=0,
        le=10_000,
        description="Up to how many replicates a combination gets, tonight and in the baseline, "
        "where a night cannot tell; 0: no more than the campaign asks for.",
    ),
]
Outcome = Literal["due", "waiting", "submitted", "skipped", "missed", "failed"]


class VersionRan(RequestBody):
    """The schedule's newest finished night that ran a version of a file under test."""

    version: Version = Field(
        description="As a night has it; or a commit, of at least 7 digits; or a tag of the "
        "repository that the file comes from.",
        examples=["v2.1"],
    )
    subject: str | None = Field(
        default=None,
        max_length=255,
        description="Which file's; null: of any, if that is one night.",
    )


class NewSchedule(RequestBody):
    """A schedule to make; what it submits is kept as it is now.

    Either `campaign`, as for a submission, or `campaign_id`: one that was submitted.
    """

    name: Name = Field(description="In the team, once.")
    cron: Cron
    timezone: TimeZone = "UTC"
    overlap: Overlap = "skip"
    missed: Missed = "once"
    enabled: Switch = Field(default=True, description="False: it is not due until switched on.")
    baseline: ComparedWith = "none"
    effects: Effects = Field(default_factory=dict)
    most_replicates: MostReplicates = 0
    mail_to: MailTo = Field(default_factory=list)
    subjects: TakenFrom = Field(default_factory=list)
    campaign: CampaignIn | None = Field(default=None, description="What to submit.")
    campaign_id: uuid.UUID | None = Field(
        default=None, description="Or what was submitted as this campaign."
    )

    @model_validator(mode="after")
    def _one_campaign(self) -> Self:
        if (self.campaign is None) == (self.campaign_id is None):
            raise ValueError("give either campaign or campaign_id")
        return self


class ScheduleChange(RequestBody):
    """What to change; what is left out or null stays. With a campaign, that one is pinned now."""

    name: Name | None = Field(default=None, description="In the team, once.")
    cron: Cron | None = Field(
        default=None, description="Minute, hour, day of month, month, day of week."
    )
    timezone: TimeZone | None = Field(default=None, description="A name of the IANA time zones.")
    overlap: Overlap | None = Field(
        default=None, description="What to do while the campaign of an earlier time is not over."
    )
    missed: Missed | None = Field(
        default=None, description="What to do about times at which the platform was down."
    )
    enabled: Switch | None = Field(
        default=None, description="False: it is not due until switched on."
    )
    baseline: VersionRan | ComparedWith | None = Field(
        default=None,
        description="What its campaigns are judged against from now on; by a version, the campaign "
        "that ran it.",
    )
    effects: Effects | None = Field(
        default=None, description="Which differences matter from now on, instead of those so far."
    )
    most_replicates: MostReplicates | None = Field(
        default=None, description="Up to how many replicates a night that cannot tell gets."
    )
    mail_to: MailTo | None = Field(default=None, description="Who is told from now on.")
    subjects: TakenFrom | None = Field(
        default=None, description="Files that are under test from now on, and no others."
    )
    campaign: CampaignIn | None = Field(default=None, description="What to submit from now on.")
    campaign_id: uuid.UUID | None = Field(
        default=None, description="Or what was submitted as this campaign."
    )

    @model_validator(mode="after")
    def _not_two_campaigns(self) -> Self:
        if self.campaign is not None and self.campaign_id is not None:
            raise ValueError("give either campaign or campaign_id")
        return self


class NewNight(RequestBody):
    """What is under test tonight, instead of what the schedule's campaign has."""

    files: Files = Field(default={}, description="Names of its files -> SHA-256 of other contents.")
    subjects: Subjects = Field(default_factory=dict)


class NightOut(BaseModel):
    """A scheduled campaign beside its baseline."""

    baseline: uuid.UUID | None = Field(description="Compared with it; null: nothing was.")
    verdict: Literal["same", "not worse", "worse", "cannot tell", "not compared"] = Field(
        description="same: no metric of any run differs; cannot tell: of none that does anything "
        "is shown."
    )
    worse: int = Field(description="How many metrics of combinations became worse.")
    better: int = Field(description="How many became better.")
    changed: int = Field(description="Combinations in which any metric of any run differs.")
    combinations: int = Field(description="Combinations that both have.")
    told: list[str] = Field(description="The worst first, and what was not compared.")
    at: datetime = Field(description="When it was judged.")

    @classmethod
    def of(cls, night: Night) -> Self:
        """As the database has it."""
        shown = ("verdict", "worse", "better", "changed", "combinations", "told", "at")
        fields = {name: getattr(night, name) for name in shown}
        return cls(**fields, baseline=night.baseline_id)


class TickOut(BaseModel):
    """A time at which a schedule was due, and what came of it."""

    id: int = Field(description="Larger for later ones.")
    due_at: datetime = Field(description="When it was due.")
    at: datetime = Field(description="Of the outcome so far.")
    outcome: Outcome = Field(
        description="due: about to be submitted; waiting: for an earlier time's campaign to be "
        "over; missed: nobody was there."
    )
    detail: str = Field(description="Why; empty where there is nothing to add.")
    campaign: uuid.UUID | None = Field(description="The one that was submitted.")
    subjects: dict[str, str] = Field(
        description="Name of a file that is under test -> its version, as a commit."
    )
    night: NightOut | None = Field(
        description="Its results beside the baseline's; null: not judged, or not yet."
    )


class ScheduleOut(BaseModel):
    """A schedule."""

    id: uuid.UUID = Field(description="Of the schedule.")
    name: str = Field(description="In the team, once.")
    cron: str = Field(description="Minute, hour, day of month, month, day of week.")
    timezone: str = Field(description="On whose clock.")
    overlap: Overlap
    missed: Missed
    enabled: bool = Field(description="Whether it becomes due.")
    created_by: uuid.UUID | None = Field(description="User; null where that one is gone.")
    created_at: datetime = Field(description="When it was made.")
    next_at: datetime | None = Field(description="When it is due next; null while it is disabled.")
    baseline: ComparedWith
    effects: Effects
    most_replicates: int = Field(
        description="Up to how many replicates a combination gets where a night cannot tell."
    )
    mail_to: list[str] = Field(description="Members who are told by e-mail of worse nights.")
    subjects: list[SubjectOut] = Field(description="Files of the campaign that are under test.")
    last: TickOut | None = Field(description="Its newest tick.")


class ScheduleDetail(ScheduleOut):
    """A schedule with what it submits."""

    badge: str | None = Field(
        description="Path of the picture of its newest verdict; null: there is none."
    )
    campaign: CampaignIn = Field(description="What it submits.")


class DueTime(BaseModel):
    """A time at which a cron line is due."""

    at: datetime = Field(description="In UTC.")
    local: str = Field(
        examples=["2026-03-29T03:00:00+02:00"], description="On the clock of the time zone."
    )
