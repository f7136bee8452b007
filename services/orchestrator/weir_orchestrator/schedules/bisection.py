"""Which commit moved a night: the commits between are halved, and the middle one is run.

Only what became worse is run, in the combinations in which it did; where nothing did, what else is
shown to have changed; where nothing is, what differs at all. A commit is bad where its numbers are
those of the bad night, good where they are those of the good one; else by the same statistics as a
night, over these few metrics, if these show anything of the nights.
"""

from __future__ import annotations

import logging
import uuid
from functools import partial
from typing import Any, Final

from sqlalchemy import or_, select, update
from sqlalchemy.orm import Session, aliased, sessionmaker
from weir.errors import SpecError
from weir_engine import provenance
from weir_engine.errors import BadInput
from weir_engine.levels import identity
from weir_engine.regression import SHOWN, Judged, Judgement
from weir_engine.regression.wording import line

from weir_orchestrator.db import Bisection, Campaign, Schedule, Team, reading, utc_now
from weir_orchestrator.errors import QuotaExceeded, Unprocessable
from weir_orchestrator.lifecycle import ENDED
from weir_orchestrator.objects import ObjectStore
from weir_orchestrator.recorded.regression import judge_campaign
from weir_orchestrator.repositories import Source, opened
from weir_orchestrator.schedules.bisection_replicates import extend
from weir_orchestrator.schedules.bisection_step import TOLD, matters, outcome_of, submission_of
from weir_orchestrator.schedules.subjects import sources, with_fetched
from weir_orchestrator.schedules.turns import Job, Take
from weir_orchestrator.settings import Settings
from weir_orchestrator.submission import submit
from weir_orchestrator.submission.lab import NoLab
from weir_orchestrator.submission.submission import DOCUMENT

__all__ = ["begin", "bisect_next"]

_STEP: Final = aliased(Campaign)
_DUE: Final = (
    select(Schedule.team_id, Bisection.id)
    .join(Bisection, Bisection.schedule_id == Schedule.id)
    .outerjoin(_STEP, _STEP.id == Bisection.campaign_id)
    .where(Bisection.state == "running", or_(_STEP.id.is_(None), _STEP.state.in_(ENDED)))
    .order_by(Bisection.created_at)
)
_log = logging.getLogger(__name__)


def begin(
    session: Session,
    settings: Settings,
    schedule: Schedule,
    good: Campaign,
    bad: Campaign,
    name: str | None,
    by: uuid.UUID | None,
) -> Bisection:
    """Find the commits between two nights and what changed; the housekeeper does the rest.

    name: of the subject, where several changed. Ends the session's transaction. Raises
    Unprocessable, SpecError, BadInput.
    """
    name = _changed(good, bad, name)
    if name == DOCUMENT:
        raise Unprocessable(
            f"subject: {name} — allowed: a file that the campaign uses; which commit of the"
            " campaign's own file it was, its changes between the two nights tell"
        )
    source = _source(session, schedule.id, name)
    if not good.roles_hash == bad.roles_hash == provenance.roles()["hash"]:
        raise Unprocessable("good, bad: they are of another Weir than this: run both nights again")
    judgement = judge_campaign(session, good, bad, matters(schedule))
    moved = _moved(judgement)
    if not moved:
        raise Unprocessable("bad: its numbers are those of the good one, to the last digit")
    session.commit()
    with opened(source, settings, "subject") as repository:
        commits = repository.between(good.subjects[name], bad.subjects[name])
    if not commits:
        raise Unprocessable(f"subject: {source.path} is the same in both nights' commits")
    found = Bisection(
        schedule_id=schedule.id,
        name=name,
        good_id=good.id,
        bad_id=bad.id,
        commits=commits,
        low=-1,
        high=len(commits) - 1,
        worse=[[identity(one.levels), one.metric, one.verdict] for one in moved],
        steps=[],
        told=[line(one) for one in moved[:TOLD]],
        created_by=by,
    )
    session.add(found)
    session.flush()
    return found


def bisect_next(
    sessions: sessionmaker[Session], objects: ObjectStore, settings: Settings, take: Take
) -> None:
    """Have what is due go on until it waits for runs again, or is over."""
    with reading(sessions)() as session:
        due = session.execute(_DUE).all()
    jobs = []
    for team, bisection_id in due:
        do = partial(_go_on, sessions, objects, settings, bisection_id)
        jobs.append(Job(team, f"bisection {bisection_id}", do))
    take(jobs)


def _go_on(
    sessions: sessionmaker[Session],
    objects: ObjectStore,
    settings: Settings,
    bisection_id: uuid.UUID,
) -> bool:
    """Judge the commit that was run and submit the next one at once; whether it got any further."""
    further = False
    while changes := _changes(sessions, objects, settings, bisection_id):
        further = True
        if "steps" not in changes:
            break
    return further


def _changes(
    sessions: sessionmaker[Session],
    objects: ObjectStore,
    settings: Settings,
    bisection_id: uuid.UUID,
) -> dict[str, Any]:
    """What came next and was committed; empty where another one came first."""
    with sessions() as session:
        bisection = session.get(Bisection, bisection_id)
        if bisection is None:
            return {}
        seen = (bisection.campaign_id, bisection.low, bisection.high)
        try:
            changes = _next(session, objects, settings, bisection)
        except (SpecError, NoLab, QuotaExceeded, BadInput, Unprocessable) as error:
            session.rollback()
            changes = _ended("ended", [f"it cannot go on: {error}"])
        return changes if _write(session, bisection_id, seen, changes) else {}


def _write(
    session: Session, bisection_id: uuid.UUID, seen: tuple[Any, ...], changes: dict[str, Any]
) -> bool:
    """Commit the changes, unless another one came first; whether they were."""
    campaign_id, low, high = seen
    mine = update(Bisection).where(
        Bisection.id == bisection_id,
        Bisection.state == "running",
        Bisection.campaign_id.is_not_distinct_from(campaign_id),
        Bisection.low == low,
        Bisection.high == high,
    )
    written = mine.values(**changes).returning(Bisection.id)
    if session.execute(written, execution_options={"synchronize_session": False}).first() is None:
        session.rollback()
        return False
    session.commit()
    return True


def _next(
    session: Session, objects: ObjectStore, settings: Settings, bisection: Bisection
) -> dict[str, Any]:
    if bisection.campaign_id is not None:
        return _judged(session, bisection)
    if (middle := _middle(bisection)) is None:
        return _found(session, settings, bisection)
    commit = bisection.commits[middle]
    schedule = session.get_one(Schedule, bisection.schedule_id)
    bad = session.get_one(Campaign, bisection.bad_id)
    team = session.get_one(Team, schedule.team_id)
    source = _source(session, bisection.schedule_id, bisection.name)
    given = submission_of(session, bad, bisection)
    session.commit()
    with opened(source, settings, "subject") as repository:
        fetched = {bisection.name: repository.file(commit)}
    submission = with_fetched(session, objects, team, bisection.created_by, given, fetched)
    campaign = submit(session, objects, settings, team, submission, bisection.created_by)
    session.flush()
    return {"campaign_id": campaign.id}


def _middle(bisection: Bisection) -> int | None:
    """Which commit tells most, of those between that can be run; None: there is none."""
    skipped = _skipped(bisection)
    between = range(bisection.low + 1, bisection.high)
    left = [place for place in between if bisection.commits[place] not in skipped]
    return left[(len(left) - 1) // 2] if left else None


def _skipped(bisection: Bisection) -> set[str]:
    return {step["commit"] for step in bisection.steps if step["outcome"] == "skipped"}


def _judged(session: Session, bisection: Bisection) -> dict[str, Any]:
    step = session.get_one(Campaign, bisection.campaign_id)
    commit = step.subjects[bisection.name]
    place = bisection.commits.index(commit)
    found = outcome_of(session, bisection, step)
    if found is None:
        extend(session, bisection, step)
        return {"campaign_id": step.id}
    outcome, told = found
    done = {"commit": commit, "campaign": str(step.id), "outcome": outcome, "told": told}
    return {
        "campaign_id": None,
        "low": place if outcome == "good" else bisection.low,
        "high": place if outcome == "bad" else bisection.high,
        "steps": [*bisection.steps, done],
    }


def _found(session: Session, settings: Settings, bisection: Bisection) -> dict[str, Any]:
    commit = bisection.commits[bisection.high]
    source = _source(session, bisection.schedule_id, bisection.name)
    steps, skipped = bisection.steps, _skipped(bisection)
    session.commit()
    with opened(source, settings, "subject") as repository:
        title = repository.title(commit)
    said = [f"the first bad commit is {commit}: {title}"]
    evidence = [each["told"] for each in steps if each["commit"] == commit]
    said += evidence[0] if evidence else bisection.told
    between = bisection.commits[bisection.low + 1 : bisection.high]
    if others := [each[:12] for each in between if each in skipped]:
        said.append(f"could not be run, and may be it as well: {', '.join(others)}")
    _log.info("bisection %s: %s", bisection.id, said[0])
    return _ended("found", said)


def _ended(state: str, told: list[str]) -> dict[str, Any]:
    return {"state": state, "told": told, "ended_at": utc_now()}


def _moved(judgement: Judgement) -> list[Judged]:
    shown = [one for one in judgement.judged if one.verdict in SHOWN]
    return judgement.worse or shown or [one for one in judgement.judged if one.verdict != "same"]


def _changed(good: Campaign, bad: Campaign, name: str | None) -> str:
    both = good.subjects.keys() & bad.subjects.keys()
    changed = sorted(each for each in both if good.subjects[each] != bad.subjects[each])
    if name is None and len(changed) == 1:
        return changed[0]
    if name in changed:
        assert name is not None
        return name
    have = ", ".join(changed) or "none"
    raise Unprocessable(f"subject: {name or 'missing'} — allowed: one that changed ({have})")


def _source(session: Session, schedule_id: uuid.UUID, name: str) -> Source:
    """Raises Unprocessable where it is there no more."""
    source = sources(session, schedule_id).get(name)
    if source is None:
        raise Unprocessable(f"subject: {name} is not taken from a repository by this schedule")
    return source
