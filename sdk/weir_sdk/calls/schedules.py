"""Schedules, and what has happened in a campaign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal
from uuid import UUID

from weir_sdk.call import Call, Json, Page, asked, body, nothing, path
from weir_sdk.models import DueTime, EventOut, ScheduleDetail, ScheduleOut, TickOut

__all__ = [
    "change_schedule",
    "delete_schedule",
    "list_campaign_history",
    "list_schedule_ticks",
    "list_schedules",
    "make_schedule",
    "preview_schedule",
    "run_schedule",
    "show_schedule",
]


def list_schedules(team: str, limit: int = 500) -> Call[Page[ScheduleOut]]:
    """A team's schedules by name."""
    where = path("teams", team, "schedules")
    return Call("GET", where, Json(Page[ScheduleOut]), asked(limit=limit))


def make_schedule(
    team: str,
    name: str,
    cron: str,
    timezone: str = "UTC",
    campaign: Mapping[str, Any] | None = None,
    campaign_id: UUID | str | None = None,
    overlap: Literal["skip", "queue", "parallel"] = "skip",
    missed: Literal["once", "skip"] = "once",
    enabled: bool = True,
    baseline: UUID | str = "none",
    effects: Mapping[str, str] | None = None,
    most_replicates: int = 0,
    subjects: Sequence[Mapping[str, str]] = (),
    mail_to: Sequence[str] = (),
) -> Call[ScheduleDetail]:
    """Make a schedule that submits a `campaign`, or again the one of that id, as it is now.

    baseline: what its campaigns are judged against: none, last-good, or a campaign. effects:
    metric -> from which difference on it matters. most_replicates: up to how many a combination
    gets where a night cannot tell. subjects: files of it that are taken from repositories each
    night: name, repository, branch, path, and secret_token or secret_key where one is needed.
    mail_to: members, by their addresses, who are told of worse nights.
    """
    given = body(
        name=name,
        cron=cron,
        timezone=timezone,
        campaign=campaign,
        campaign_id=str(campaign_id) if campaign_id else None,
        overlap=overlap,
        missed=missed,
        enabled=enabled,
        baseline=str(baseline),
        effects=dict(effects) if effects else None,
        most_replicates=most_replicates,
        subjects=[dict(each) for each in subjects],
        mail_to=list(mail_to),
    )
    return Call("POST", path("teams", team, "schedules"), Json(ScheduleDetail), json=given)


def preview_schedule(
    team: str, cron: str, timezone: str = "UTC", count: int = 10
) -> Call[list[DueTime]]:
    """The next times at which a cron line is due."""
    params = asked(cron=cron, timezone=timezone, count=count)
    return Call("GET", path("teams", team, "schedules", "preview"), Json(list[DueTime]), params)


def show_schedule(schedule: UUID | str) -> Call[ScheduleDetail]:
    """A schedule, with what it submits."""
    return Call("GET", path("schedules", schedule), Json(ScheduleDetail))


def change_schedule(schedule: UUID | str, **changes: Any) -> Call[ScheduleDetail]:
    """Change some of what `make_schedule` takes; enabled=False switches it off.

    baseline may also be {"version": ..., "subject": ...}: the newest night that ran this commit,
    tag or named version. subject: which file's; may be left out.
    """
    return Call("PATCH", path("schedules", schedule), Json(ScheduleDetail), json=changes)


def delete_schedule(schedule: UUID | str) -> Call[None]:
    """Delete a schedule; the campaigns that it submitted stay."""
    return Call("DELETE", path("schedules", schedule), nothing)


def run_schedule(
    schedule: UUID | str,
    files: Mapping[str, str] | None = None,
    subjects: Mapping[str, str] | None = None,
) -> Call[TickOut]:
    """Submit its campaign now.

    files: name of a file of it -> SHA-256 of an uploaded one to take instead. subjects: name of a
    file that is under test -> its version, as a commit.
    """
    given = body(files=dict(files or {}), subjects=dict(subjects or {}))
    return Call("POST", path("schedules", schedule, "run"), Json(TickOut), json=given)


def list_schedule_ticks(schedule: UUID | str, limit: int = 500) -> Call[Page[TickOut]]:
    """When it was due and what came of it, newest first."""
    where = path("schedules", schedule, "ticks")
    return Call("GET", where, Json(Page[TickOut]), asked(limit=limit))


def list_campaign_history(
    campaign: UUID | str, kind: Sequence[str] | None = None, limit: int = 500
) -> Call[Page[EventOut]]:
    """What has happened in a campaign, newest first."""
    params = asked(kind=kind, limit=limit)
    return Call("GET", path("campaigns", campaign, "history"), Json(Page[EventOut]), params)
