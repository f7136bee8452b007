"""Making, changing and running schedules."""

from __future__ import annotations

import uuid
import zoneinfo
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from weir.errors import SpecError
from weir_engine.regression import effects

from weir_orchestrator import schedules
from weir_orchestrator.api import audit_log
from weir_orchestrator.api.access import Principal, Role
from weir_orchestrator.api.campaigns.schemas import CampaignIn
from weir_orchestrator.api.campaigns.service import submission_of
from weir_orchestrator.api.schedules.lookup import campaign_of, schedule_of
from weir_orchestrator.api.schedules.schemas import (
    SET,
    ComparedWith,
    DueTime,
    NewNight,
    NewSchedule,
    ScheduleChange,
    VersionRan,
)
from weir_orchestrator.db import Baseline, Schedule, ScheduleTick, Team
from weir_orchestrator.errors import Conflict, FieldProblem, Unavailable, Unprocessable
from weir_orchestrator.objects import ObjectStore
from weir_orchestrator.repositories import Fetched, Source
from weir_orchestrator.settings import Settings
from weir_orchestrator.submission import Submission, checked
from weir_orchestrator.submission.lab import NoLab

__all__ = ["Schedules", "preview"]


class Schedules:
    """On behalf of `who`, in one session."""

    def __init__(
        self,
        session: Session,
        objects: ObjectStore,
        settings: Settings,
        who: Principal,
        now: datetime,
    ) -> None:
        self._session = session
        self._objects = objects
        self._settings = settings
        self._who = who
        self._now = now

    def get(self, schedule_id: uuid.UUID, needed: Role = "read") -> Schedule:
        """Raises NotFound, NotAllowed."""
        return schedule_of(self._session, self._who, schedule_id, needed)

    def make(self, team: Team, new: NewSchedule) -> Schedule:
        """Raises NotAllowed, SpecError, Unprocessable, NotFound, Conflict, Unavailable."""
        self._who.require(team.id, "submit")
        _check(new.cron, new.timezone)
        _check_effects(new.effects)
        self._check_mail(team.id, new.mail_to)
        found = {each.name: each.source(None) for each in new.subjects}
        self._session.commit()
        fetched = schedules.fetch(found, self._settings)
        given = self._given(team.id, new.campaign, new.campaign_id)
        submission = self._checked(team, given, fetched)
        schedule = Schedule(
            team_id=team.id, name=new.name, enabled=new.enabled, created_by=self._who.user_id
        )
        for field in SET:
            setattr(schedule, field, getattr(new, field))
        submission.pin(schedule)
        self._session.add(schedule)
        self._set_next(schedule)
        self._flush(schedule)
        schedules.keep(self._session, schedule, _known(found, fetched))
        self._compare_with(schedule, new.baseline)
        self._log("schedule.make", schedule)
        return schedule

    def change(self, schedule_id: uuid.UUID, change: ScheduleChange) -> Schedule:
        """Times from now on are those of the changed line; what waits stays.

        Raises NotAllowed, SpecError, Unprocessable, NotFound, Conflict, Unavailable.
        """
        schedule = self.get(schedule_id, "submit")
        apart = {"baseline", "campaign", "campaign_id", "subjects"}
        given = change.model_dump(exclude_none=True, exclude=apart)
        cron = given.get("cron", schedule.cron)
        _check(cron, given.get("timezone", schedule.timezone))
        _check_effects(change.effects or {})
        self._check_mail(schedule.team_id, change.mail_to or [])
        baseline = self._campaign_that_ran(schedule, change.baseline)
        if any(each is not None for each in (change.campaign, change.campaign_id, change.subjects)):
            self._submit_from_now_on(schedule, change)
        for field, value in given.items():
            setattr(schedule, field, value)
        if given.keys() & {"cron", "timezone", "enabled"}:
            self._set_next(schedule)
        self._flush(schedule)
        if baseline is not None:
            self._compare_with(schedule, baseline)
        self._log("schedule.change", schedule)
        return schedule

    def _submit_from_now_on(self, schedule: Schedule, change: ScheduleChange) -> None:
        found = schedules.sources(self._session, schedule.id)
        if change.subjects is not None:
            found = {each.name: each.source(found.get(each.name)) for each in change.subjects}
        team = self._session.get_one(Team, schedule.team_id)
        given = Submission.of_schedule(schedule)
        if change.campaign is not None or change.campaign_id is not None:
            given = self._given(team.id, change.campaign, change.campaign_id)
        self._session.commit()
        fetched = schedules.fetch(found, self._settings)
        self._checked(team, given, fetched).pin(schedule)
        schedules.keep(self._session, schedule, _known(found, fetched))

    def delete(self, schedule_id: uuid.UUID) -> None:
        """Its campaigns stay. Raises NotFound, NotAllowed."""
        schedule = self.get(schedule_id, "submit")
        self._session.delete(schedule)
        self._log("schedule.delete", schedule)

    def run(self, schedule_id: uuid.UUID, new: NewNight) -> ScheduleTick:
        """Raises NotFound, NotAllowed, SpecError, QuotaExceeded, Unavailable."""
        schedule = self.get(schedule_id, "submit")
        by = self._who.user_id
        given = Submission.of_schedule(schedule).of_night(new.files, new.subjects)
        try:
            tick = schedules.run_now(
                self._session, self._objects, self._settings, schedule, given, by
            )
        except NoLab as error:
            raise Unavailable(str(error)) from error
        self._log("schedule.run", schedule)
        return tick

    def _given(
        self, team_id: uuid.UUID, given: CampaignIn | None, campaign_id: uuid.UUID | None
    ) -> Submission:
        if given is not None:
            return submission_of(given)
        found = campaign_of(self._session, team_id, campaign_id, "campaign_id")
        return Submission.of_campaign(found)

    def _checked(self, team: Team, given: Submission, fetched: Mapping[str, Fetched]) -> Submission:
        by = self._who.user_id
        submission = schedules.with_fetched(self._session, self._objects, team, by, given, fetched)
        try:
            with checked(self._session, self._objects, self._settings, team.id, submission):
                return submission
        except NoLab as error:
            raise Unavailable(str(error)) from error

    def _campaign_that_ran(
        self, schedule: Schedule, chosen: ComparedWith | VersionRan | None
    ) -> ComparedWith | None:
        if not isinstance(chosen, VersionRan):
            return chosen
        asked = chosen.version, chosen.subject
        return schedules.night_of(self._session, self._settings, schedule, *asked)

    def _compare_with(self, schedule: Schedule, chosen: ComparedWith) -> None:
        row = self._session.get(Baseline, schedule.id)
        if chosen == "none":
            if row is not None:
                self._session.delete(row)
            return
        if isinstance(chosen, uuid.UUID):
            campaign_of(self._session, schedule.team_id, chosen, "baseline")
        if row is None:
            row = Baseline(schedule_id=schedule.id)
            self._session.add(row)
        row.kind = "campaign" if isinstance(chosen, uuid.UUID) else chosen
        row.campaign_id = chosen if isinstance(chosen, uuid.UUID) else None

    def _check_mail(self, team_id: uuid.UUID, asked: Sequence[str]) -> None:
        if asked and not self._settings.mail:
            problem = FieldProblem(
                path="mail_to",
                value=list(asked),
                allowed="nobody: this platform sends no e-mail",
                remedy="have the operator set WEIR_MAIL, or use a webhook",
            )
            raise Unprocessable("1 problem", [problem])
        known = schedules.members(self._session, team_id, asked)
        if others := sorted(set(asked) - set(known)):
            problem = FieldProblem(
                path="mail_to", value=others[0], allowed="addresses of the team's members"
            )
            raise Unprocessable("1 problem", [problem])

    def _flush(self, schedule: Schedule) -> None:
        try:
            self._session.flush()
        except IntegrityError as error:
            raise Conflict(
                f"the team has a schedule named {schedule.name}; give another name"
            ) from error

    def _set_next(self, schedule: Schedule) -> None:
        schedule.next_at = (
            schedules.following(schedule.cron, schedule.timezone, self._now)
            if schedule.enabled
            else None
        )

    def _log(self, action: str, schedule: Schedule) -> None:
        told = {"name": schedule.name, "cron": schedule.cron, "enabled": schedule.enabled}
        audit_log.log(self._session, self._who, action, schedule.team_id, schedule.id, **told)


def preview(cron: str, timezone: str, now: datetime, number: int) -> list[DueTime]:
    """The next due times after now. Raises SpecError."""
    _check(cron, timezone)
    zone = zoneinfo.ZoneInfo(timezone)
    return [
        DueTime(at=at, local=_local(at, zone))
        for at in schedules.upcoming(cron, timezone, now, number)
    ]


def _known(found: Mapping[str, Source], fetched: Mapping[str, Fetched]) -> dict[str, Source]:
    return {
        name: replace(source, host_keys=fetched[name].host_keys) for name, source in found.items()
    }


def _local(at: datetime, zone: zoneinfo.ZoneInfo) -> str:
    return at.astimezone(zone).isoformat()


def _check(cron: str, timezone: str) -> None:
    if problems := schedules.check(cron, timezone):
        raise SpecError(problems)


def _check_effects(asked: Mapping[str, str]) -> None:
    for metric, size in asked.items():
        try:
            effects.parsed([f"{metric}={size}"])
        except effects.NotAnEffect as error:
            problem = FieldProblem(path=f"effects.{metric}", value=size, allowed=error.allowed)
            raise Unprocessable("1 problem", [problem]) from error
