"""Writing the runs that a search needs next, or its end.

What these are follows from the runs that there are, so anyone may go on where another died. They
are made outside any transaction, and those are written that are still needed then.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session, sessionmaker
from weir.errors import Problem, SpecError
from weir.expand import Run, replicate_seed
from weir_engine.levels import identity
from weir_engine.search.look import Look

from weir_orchestrator import lifecycle
from weir_orchestrator.db import Campaign, Combination
from weir_orchestrator.db import Run as RunRow
from weir_orchestrator.objects import ObjectNotFound, ObjectStore
from weir_orchestrator.recorded.combinations import all_combinations
from weir_orchestrator.recorded.search import looks_of, search_of
from weir_orchestrator.settings import Settings
from weir_orchestrator.submission.opened import Opened, Row, problems_in
from weir_orchestrator.submission.reading import check_experiment

__all__ = ["SEARCHED", "write_next_round"]

MOST_RUNS: Final = 2_000
SEARCHED: Final = lifecycle.table.FINISH.old
"""States in which a search goes on; of a paused campaign nobody starts what is queued."""
Wanted = tuple[dict[str, Any], int]
Made = tuple[Row, Row, float]
"""Rows of Combination, without a number, and of Run, without one and a position; film in s."""


def write_next_round(
    sessions: sessionmaker[Session],
    objects: ObjectStore,
    settings: Settings,
    campaign_id: uuid.UUID,
) -> bool:
    """Whether the campaign went on: with further runs, or to the end of its search.

    A level whose experiment is not sound makes it refused. Raises StoreUnavailable, CannotRun and
    what the database raises; calling again goes on.
    """
    made: dict[tuple[str, int], Made] = {}
    problems: list[Problem] = []
    with sessions() as session:
        campaign = session.get(Campaign, campaign_id)
        wanted = _wanted(_looks(session, campaign))[:MOST_RUNS] if campaign else []
        try:
            if campaign is not None and wanted:
                opened = Opened(session, objects, settings, campaign)
                session.commit()
                made = _make(opened, wanted, settings)
        except (SpecError, ObjectNotFound) as error:
            session.rollback()
            problems = problems_in(error)
    with sessions.begin() as session:
        campaign = session.get(Campaign, campaign_id, with_for_update=True)
        if campaign is None or not campaign.searching or campaign.state not in SEARCHED:
            return False
        if problems:
            lifecycle.refuse(session, campaign, problems)
            return True
        now = _looks(session, campaign)
        if all(look.end for look in now):
            lifecycle.found(session, campaign)
            return True
        some = [each for each in map(_name, _wanted(now)) if each in made]
        _write(session, campaign, [made[each] for each in some])
        return bool(some)


def _looks(session: Session, campaign: Campaign) -> list[Look]:
    search = search_of(campaign)
    return looks_of(session, campaign, search) if search else []


def _wanted(looks: Iterable[Look]) -> list[Wanted]:
    return [each for look in looks for each in look.wanted]


def _make(
    opened: Opened, wanted: Sequence[Wanted], settings: Settings
) -> dict[tuple[str, int], Made]:
    made: dict[tuple[str, int], Made] = {}
    spec = opened.spec
    try:
        for levels, replicate in wanted:
            experiment = opened.expansion.experiment(levels)
            check_experiment(experiment, opened.lab, settings.max_film)
            seed = replicate_seed(spec.seed, replicate)
            run = Run(spec.name, -1, levels, replicate, seed, experiment)
            made[_name((levels, replicate))] = (
                opened.combination(-1, levels, experiment),
                opened.run(-1, run, opened.key(experiment)(seed)),
                float(experiment["duration_s"]),
            )
    finally:
        opened.close()
    return made


def _write(session: Session, campaign: Campaign, made: Sequence[Made]) -> None:
    """Number the rows behind those that there are, and write them."""
    if not made:
        return
    there = all_combinations(session, campaign.id)
    numbers = {identity(levels): number for number, levels in there.items()}
    last = select(func.max(RunRow.position)).where(RunRow.campaign_id == campaign.id)
    position = int(session.scalars(last).one())
    new: list[Row] = []
    runs: list[Row] = []
    for combination, run, _ in made:
        name = identity(combination["levels"])
        if name not in numbers:
            numbers[name] = max(numbers.values()) + 1
            new.append({**combination, "number": numbers[name]})
        position += 1
        runs.append({**run, "combination": numbers[name], "position": position})
    if new:
        session.execute(insert(Combination), new)
    lifecycle.follow(session, campaign, runs, len(new), sum(film_s for _, _, film_s in made))


def _name(wanted: Wanted) -> tuple[str, int]:
    levels, replicate = wanted
    return identity(levels), replicate
