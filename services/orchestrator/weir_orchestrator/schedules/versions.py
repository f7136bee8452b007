"""The night that ran a version of what is under test: of a commit, of a release, or of the name
that whoever uploaded it gave."""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from weir_orchestrator.db import Campaign, Schedule
from weir_orchestrator.errors import FieldProblem, Unprocessable
from weir_orchestrator.lifecycle import table
from weir_orchestrator.repositories import commit_of_tag
from weir_orchestrator.schedules.subjects import sources
from weir_orchestrator.settings import Settings

__all__ = ["Ran", "night_of", "of_version"]

_COMMIT: Final = re.compile(r"[0-9a-f]{7,64}")
"""Abbreviated, or whole."""
_TOLD: Final = 8
_SHOWN: Final = 12
"""Digits of a commit."""


@dataclass(frozen=True)
class Ran:
    """A version of a subject that a night ran."""

    campaign: uuid.UUID
    subject: str
    version: str


def night_of(
    session: Session, settings: Settings, schedule: Schedule, version: str, subject: str | None
) -> uuid.UUID:
    """The campaign of the schedule's newest night that ran it, and of which runs succeeded.

    version: looked for as a name that a night has, then as a commit (at least 7 digits), then as a
    tag of the subjects' repositories. subject: which file's; needed where it is a version of
    several in different nights. Ends the session's transaction where a repository is asked. Raises
    Unprocessable, SpecError.
    """
    every = _nights(session, schedule)
    names = sorted({each.subject for each in every})
    if subject is not None and subject not in names:
        allowed = f"a file that was under test in a finished night ({', '.join(names) or 'none'})"
        raise _refused("subject", subject, allowed, "leave it out, or give one of these")
    nights = [each for each in every if subject in {None, each.subject}]
    if found := of_version(nights, version):
        return found
    tags = _tags(session, settings, schedule, version, subject)
    tagged = [each for each in nights if _same(each.version, tags.get(each.subject))]
    if found := _newest(tagged, version):
        return found
    commits = ", ".join(sorted({commit[:_SHOWN] for commit in tags.values()}))
    of = f" (the tag is of {commits})" if commits else ""
    versions = [_short(each) for each in dict.fromkeys(each.version for each in nights)]
    have = ", ".join(versions[:_TOLD]) + (", ..." if len(versions) > _TOLD else "")
    file = subject or (names[0] if names else "FILE")
    raise _refused(
        "version",
        version,
        f"what a finished night of {schedule.name} ran{of}: {have or 'none has a version'}",
        f"run it as a night (weir submit --schedule {schedule.name} --subject "
        f"{file}=PATH@{version}), and choose it then",
    )


def of_version(nights: Sequence[Ran], version: str) -> uuid.UUID | None:
    """Of these nights, newest first, the one that ran it: by its name, or as a commit's beginning.

    Raises Unprocessable where that may be several.
    """
    if named := [each for each in nights if each.version == version]:
        return _newest(named, version)
    begun = [each for each in nights if _same(each.version, version.lower())]
    commits = sorted({each.version for each in begun})
    if len(commits) > 1:
        allowed = f"more digits: {', '.join(commits[:_TOLD])} begin so"
        raise _refused("version", version, allowed, "give the whole commit")
    return _newest(begun, version)


def _newest(nights: Sequence[Ran], version: str) -> uuid.UUID | None:
    """The first of these; raises Unprocessable where it is another one for another subject."""
    by_subject: dict[str, uuid.UUID] = {}
    for each in nights:
        by_subject.setdefault(each.subject, each.campaign)
    if len(set(by_subject.values())) > 1:
        allowed = f"one of {', '.join(sorted(by_subject))}: nights of each ran {_short(version)}"
        raise _refused("subject", None, allowed, "say which file's version it is")
    return next(iter(by_subject.values()), None)


def _same(version: str, commit: str | None) -> bool:
    """Whether they are one commit, as far as both tell."""
    if commit is None or not (_COMMIT.fullmatch(version) and _COMMIT.fullmatch(commit)):
        return False
    return version.startswith(commit) or commit.startswith(version)


def _short(version: str) -> str:
    return version[:_SHOWN] if _COMMIT.fullmatch(version) else version


def _nights(session: Session, schedule: Schedule) -> list[Ran]:
    """Newest first."""
    query = (
        select(Campaign.id, Campaign.subjects, Campaign.counts)
        .where(Campaign.schedule_id == schedule.id, Campaign.state.in_(table.FINISH.new))
        .order_by(Campaign.created_at.desc())
    )
    return [
        Ran(campaign, name, version)
        for campaign, subjects, counts in session.execute(query)
        if counts is None or counts.get("succeeded")
        for name, version in subjects.items()
    ]


def _tags(
    session: Session, settings: Settings, schedule: Schedule, tag: str, subject: str | None
) -> dict[str, str]:
    """Subject -> commit of the tag of that name in its repository. Each is asked once."""
    asked = {
        name: source
        for name, source in sources(session, schedule.id).items()
        if subject in {None, name}
    }
    if asked:
        session.commit()
    until = time.monotonic() + settings.repository_limit.total_seconds()
    by_repository: dict[str, str | None] = {}
    for name, source in asked.items():
        if source.repository not in by_repository:
            left_s = until - time.monotonic()
            commit = commit_of_tag(source, settings, f"subjects.{name}", tag, left_s)
            by_repository[source.repository] = commit
    found = {name: by_repository[source.repository] for name, source in asked.items()}
    return {name: commit for name, commit in found.items() if commit is not None}


def _refused(field: str, value: str | None, allowed: str, remedy: str) -> Unprocessable:
    problem = FieldProblem(path=f"baseline.{field}", value=value, allowed=allowed, remedy=remedy)
    return Unprocessable("1 problem", [problem])
