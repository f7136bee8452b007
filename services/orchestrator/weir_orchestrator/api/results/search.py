"""What a campaign's search found, by the runs that there are now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from sqlalchemy import select
from sqlalchemy.orm import Session
from weir.spec.search import Search
from weir.spec.search_levels import levels_of, number_of
from weir_engine.search.look import Look
from weir_engine.search.look import Trial as Tried
from weir_engine.search.verdict import Judged
from weir_engine.states import RunState

from weir_orchestrator.api.results.schemas import metric_out
from weir_orchestrator.api.results.search_schemas import (
    SearchedLevel,
    SearchedRun,
    SearchedSubject,
    SearchOut,
    Trial,
    Verdict,
)
from weir_orchestrator.db import Campaign, Run
from weir_orchestrator.errors import Conflict
from weir_orchestrator.recorded.search import looks_of, search_of, tally

__all__ = ["search"]

_Runs = dict[str, SearchedRun]


def search(session: Session, campaign: Campaign, most: int) -> SearchOut:
    """most: subjects that are listed. Raises Conflict where the campaign does not search."""
    asked = search_of(campaign)
    if asked is None:
        raise Conflict(f"campaign {campaign.name} searches nothing: its document has no `search`")
    looks = looks_of(session, campaign, asked)
    runs = _runs(session, campaign)
    levels = levels_of(asked)
    so_far = tally(asked, looks)
    return SearchOut(
        campaign_id=campaign.id,
        factor=asked.factor,
        find=asked.find,
        low=_level(levels[0]),
        high=_level(levels[-1]),
        step=str(asked.step),
        levels=len(levels),
        metric=metric_out(asked.passes.metric),
        at_most=asked.passes.at_most,
        at_least=asked.passes.at_least,
        per=asked.per,
        confirm=asked.confirm,
        sentence=_sentence(asked, looks) + _beyond(so_far.exceptions),
        is_told=so_far.ended == so_far.subjects and not campaign.searching,
        subject_count=so_far.subjects,
        ended=so_far.ended,
        levels_tried=so_far.levels_tried,
        exceptions=so_far.exceptions,
        runs=campaign.run_count,
        most_runs=so_far.most_runs,
        subjects=[_subject(look, runs) for look in looks[:most]],
    )


def _runs(session: Session, campaign: Campaign) -> _Runs:
    query = select(Run.key, Run.id, Run.replicate, Run.state)
    return {
        key: SearchedRun(id=number, replicate=replicate, state=cast("RunState", state))
        for key, number, replicate, state in session.execute(
            query.where(Run.campaign_id == campaign.id)
        )
    }


def _subject(look: Look, runs: _Runs) -> SearchedSubject:
    subject, end = look.subject, look.end
    alone = subject.search.per == "replicate"
    found = end.level if end else None
    fails_at, passes_at = look.bracket
    return SearchedSubject(
        levels=subject.levels,
        replicate=subject.replicates[0] if alone else None,
        state="searching" if end is None else "none" if found is None else "found",
        level=None if found is None else _level(found),
        exceptions=[_level(level) for level in end.exceptions] if end else [],
        reason=end.reason if end else "",
        fails_at=None if fails_at is None else _level(fails_at),
        passes_at=None if passes_at is None else _level(passes_at),
        trials=[_trial(tried, runs) for tried in look.trials],
    )


def _trial(tried: Tried, runs: _Runs) -> Trial:
    told = tried.said if isinstance(tried.said, Judged) else None
    verdict: Verdict = "open" if tried.said is None else "unknown"
    if told is not None:
        verdict = "passed" if told.passes else "failed"
    return Trial(
        level=_level(tried.level),
        verdict=verdict,
        value=told.value if told else None,
        runs=[runs[key] for key in tried.keys],
    )


def _level(level: str | int) -> SearchedLevel:
    return SearchedLevel(text=str(level), number=number_of(level))


def _sentence(asked: Search, looks: Sequence[Look]) -> str:
    """`The smallest gateway.downlink.rate that passes is 6Mbit/s.`, or of how many it is known."""
    what = f"{asked.find} {asked.factor} that passes"
    found = [look.end.level for look in looks if look.end and look.end.level is not None]
    ended = sum(look.end is not None for look in looks)
    if len(looks) == 1:
        end = looks[0].end
        if end is None:
            return f"The {what} is being searched for."
        return f"The {what} is {end.level}." if found else f"No level passes: {end.reason}."
    none = ended - len(found)
    without = f"; {none} {'has' if none == 1 else 'have'} none" if none else ""
    return f"The {what} is found for {len(found)} of {len(looks)}{without}."


def _beyond(exceptions: int) -> str:
    """` 2 levels beyond what was found fail.`: that all pass from some level on is not quite so."""
    if not exceptions:
        return ""
    some = "1 level" if exceptions == 1 else f"{exceptions} levels"
    return f" {some} beyond what was found fail{'s' if exceptions == 1 else ''}."
