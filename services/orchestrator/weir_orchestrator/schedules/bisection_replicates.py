"""How many replicates of a commit are run: few at first, the others where these do not tell.

Most commits do what one of the two nights does, to the last digit. Replicates in which the nights
differ show which: of a commit that is bad, more than half are moved, so that eight of which none is
happen once in 256 times at most.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from weir_engine.levels import identity
from weir_engine.regression import beside
from weir_engine.regression.judge import Verdict
from weir_engine.row import Row

from weir_orchestrator import lifecycle
from weir_orchestrator.db import Bisection, Campaign, Run, Schedule, Team
from weir_orchestrator.errors import QuotaExceeded
from weir_orchestrator.recorded.combinations import all_combinations
from weir_orchestrator.recorded.regression import rows_to_judge
from weir_orchestrator.submission import quota

__all__ = ["combinations_of", "extend", "first_replicates", "looked_at", "may_grow", "nights"]

_TELLING: Final = 8
"""Replicates in which the two nights differ."""


def looked_at(bisection: Bisection) -> list[tuple[str, str, Verdict]]:
    """Identity of a combination, metric, and what the bad night says of it."""
    return [
        (combination, metric, next(iter(verdict), "worse"))
        for combination, metric, *verdict in bisection.worse
    ]


def combinations_of(bisection: Bisection) -> set[str]:
    """By identity: those that are run."""
    return {combination for combination, _, _ in looked_at(bisection)}


def nights(session: Session, bisection: Bisection) -> tuple[list[Row], list[Row]]:
    """Runs of the good and the bad one, in the combinations that are run."""
    wanted = combinations_of(bisection)
    good, bad = (
        rows_to_judge(session, session.get_one(Campaign, each), wanted)
        for each in (bisection.good_id, bisection.bad_id)
    )
    return good, bad


def first_replicates(session: Session, bisection: Bisection) -> int:
    """Up to which replicate enough of them tell the two nights apart, by what became worse."""
    most = _most(session, bisection)
    good, bad = nights(session, bisection)
    telling: set[int] = set()
    for combination in combinations_of(bisection):
        metrics = [metric for own, metric, _ in looked_at(bisection) if own == combination]
        before, after = (
            [row for row in rows if identity(row.levels) == combination and row.measured]
            for rows in (good, bad)
        )
        telling |= {
            one.replicate
            for one, other in beside(after, before)
            if other is not None
            and any(one.measured.get(name) != other.measured.get(name) for name in metrics)
        }
    enough = sorted(telling)[_TELLING - 1 : _TELLING]
    return min(most, enough[0] + 1) if enough else most


def may_grow(session: Session, bisection: Bisection, step: Campaign) -> bool:
    """Whether there are replicates of a commit that were not run, and can be."""
    return step.state in lifecycle.table.FINISH.new and bool(_lacking(session, bisection, step))


def extend(session: Session, bisection: Bisection, step: Campaign) -> None:
    """Queue all other replicates, unless another housekeeper has. Raises QuotaExceeded."""
    held = session.get_one(Campaign, step.id, with_for_update={"key_share": True})
    if not may_grow(session, bisection, held):
        return
    lacking = _lacking(session, bisection, held)
    runs = sum(map(len, lacking.values()))
    team = session.get_one(Team, session.get_one(Schedule, bisection.schedule_id).team_id)
    film_s = runs * held.film_s / held.run_count
    if refused := quota.refusals(session, team, runs=held.run_count + runs, film_s=film_s):
        raise QuotaExceeded(refused[0])
    lifecycle.extend(session, held, lacking)


def _lacking(session: Session, bisection: Bisection, step: Campaign) -> dict[int, list[int]]:
    numbers = list(all_combinations(session, step.id))
    return lifecycle.lacking(session, step, numbers, _most(session, bisection))


def _most(session: Session, bisection: Bisection) -> int:
    """Replicates of the bad night."""
    wanted = combinations_of(bisection)
    numbers = [
        number
        for number, levels in all_combinations(session, bisection.bad_id).items()
        if identity(levels) in wanted
    ]
    counted = (
        select(func.count())
        .where(Run.campaign_id == bisection.bad_id, Run.combination.in_(numbers))
        .group_by(Run.combination)
    )
    return max(session.scalars(counted))
