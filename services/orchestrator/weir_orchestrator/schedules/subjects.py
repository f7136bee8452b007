"""What is under test tonight: files of a schedule's campaign, or the campaign's own, taken from
repositories."""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlalchemy import delete, select
from sqlalchemy.orm import Session
from weir.errors import Problem, SpecError

from weir_orchestrator.db import Schedule, ScheduleSubject, Team
from weir_orchestrator.errors import QuotaExceeded
from weir_orchestrator.objects import ObjectStore
from weir_orchestrator.repositories import Fetched, Source, newest
from weir_orchestrator.settings import Settings
from weir_orchestrator.submission import Submission, quota
from weir_orchestrator.submission.files import store
from weir_orchestrator.submission.submission import DOCUMENT

__all__ = ["fetch", "keep", "sources", "sources_of_all", "tonight", "with_fetched"]

_KEPT = ("repository", "branch", "path", "token", "key", "host_keys")


def sources(session: Session, schedule_id: uuid.UUID) -> dict[str, Source]:
    """File of the campaign -> where it is taken from."""
    return sources_of_all(session, [schedule_id])[schedule_id]


def sources_of_all(
    session: Session, schedules: Sequence[uuid.UUID]
) -> dict[uuid.UUID, dict[str, Source]]:
    """Of each schedule."""
    query = select(ScheduleSubject).where(ScheduleSubject.schedule_id.in_(schedules))
    found: dict[uuid.UUID, dict[str, Source]] = {each: {} for each in schedules}
    for row in session.scalars(query.order_by(ScheduleSubject.name)):
        fields = {name: getattr(row, name) for name in _KEPT}
        found[row.schedule_id][row.name] = Source(**fields)
    return found


def keep(session: Session, schedule: Schedule, found: Mapping[str, Source]) -> None:
    """Let these be the schedule's, and no others."""
    old = delete(ScheduleSubject).where(ScheduleSubject.schedule_id == schedule.id)
    session.execute(old)
    for name, source in found.items():
        fields = {each: getattr(source, each) for each in _KEPT}
        session.add(ScheduleSubject(schedule_id=schedule.id, name=name, **fields))
    session.flush()


def fetch(found: Mapping[str, Source], settings: Settings) -> dict[str, Fetched]:
    """Each at its branch's newest commit, together within the settings' limit. Raises SpecError."""
    until = time.monotonic() + settings.repository_limit.total_seconds()
    return {
        name: newest(each, settings, f"subjects.{name}", until - time.monotonic())
        for name, each in found.items()
    }


def with_fetched(
    session: Session,
    objects: ObjectStore,
    team: Team,
    by: uuid.UUID | None,
    submission: Submission,
    fetched: Mapping[str, Fetched],
) -> Submission:
    """The submission with these files, made the team's, at their commits.

    Raises QuotaExceeded, SpecError where the campaign's own file is no text.
    """
    size = sum(len(each.content) for each in fetched.values())
    if fetched and (refused := quota.refusals(session, team, more_bytes=size)):
        raise QuotaExceeded("; ".join(refused))
    files = {
        name: store(session, objects, team.id, by, each.content)
        for name, each in fetched.items()
        if name != DOCUMENT
    }
    document = submission.document
    if DOCUMENT in fetched:
        document = _text(fetched[DOCUMENT].content)
    commits = {name: each.commit for name, each in fetched.items()}
    return replace(
        submission,
        document=document,
        files={**submission.files, **files},
        subjects={**submission.subjects, **commits},
    )


def _text(content: bytes) -> str:
    try:
        text = content.decode()
    except UnicodeDecodeError:
        text = ""
    if not text or "\0" in text:
        remedy = "give the path of a campaign's file"
        allowed = "a file of text in UTF-8, which is not empty"
        problem = Problem(f"subjects.{DOCUMENT}.path", f"{len(content)} bytes", allowed, remedy)
        raise SpecError([problem])
    return text


def tonight(
    session: Session,
    objects: ObjectStore,
    settings: Settings,
    schedule: Schedule,
    submission: Submission,
) -> Submission:
    """What a schedule submits, with its subjects as they are now; what the submission has a
    version of already stays.

    Ends the session's transaction where a repository is asked. Raises SpecError, QuotaExceeded.
    """
    asked = {
        name: source
        for name, source in sources(session, schedule.id).items()
        if name not in submission.subjects
    }
    if not asked:
        return submission
    session.commit()
    fetched = fetch(asked, settings)
    for name, each in fetched.items():
        session.get_one(ScheduleSubject, (schedule.id, name)).host_keys = each.host_keys
    team = session.get_one(Team, schedule.team_id)
    return with_fetched(session, objects, team, schedule.created_by, submission, fetched)
