"""What a campaign will cost: from its experiments, and from how runs went here before."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from weir.expand import Expansion, seed_of
from weir.resolved import Experiment
from weir.runkey import key_of_seed
from weir.spec.campaign import Campaign as Spec
from weir_engine import cost
from weir_engine.search.most import runs_at_most

from weir_orchestrator.db import Result, Worker
from weir_orchestrator.submission.lab import Lab
from weir_orchestrator.submission.reading import SAMPLE

__all__ = ["Estimate", "estimate", "expected_wall_s", "jobs_up"]

_RECENT = 200
_LOOKED_UP = 20_000
_KEYS_AT_ONCE = 1_000


@dataclass(frozen=True)
class Estimate:
    """runs, film_s: of the whole campaign, of a search at most. known_runs: of these, those that
    have a result already, of a search those at its ends; wall_s, with `jobs` runs at a time, and
    stored_bytes: of the others.

    jobs: of the workers that are up; 1 where there is none. exact: all combinations were looked
    at and have equally many replicates; else one was for every level, and of more than 20,000
    runs known_runs is an estimate, too. measured_runs: finished runs that wall_s and stored_bytes
    are calibrated by; 0: the project's own benchmarks stand in.
    """

    runs: int
    known_runs: int
    film_s: float
    wall_s: float
    jobs: int
    stored_bytes: int
    exact: bool
    measured_runs: int


def estimate(session: Session, spec: Spec, lab: Lab) -> Estimate:
    """Raises SpecError for a combination that is not sound."""
    expansion = Expansion(spec)
    looked_at = [experiment for _, experiment in expansion.sample(SAMPLE)]
    films = [float(experiment["duration_s"]) for experiment in looked_at]
    ends, runs = expansion.count(), runs_at_most(spec, expansion)
    known = [share * ends / runs for share in _known(session, spec, lab, looked_at)]
    costs = [cost.expected(experiment) for experiment in looked_at]
    slower, larger, measured = _calibration(session)
    jobs = jobs_up(session)
    pairs = list(zip(costs, known, strict=True))
    return Estimate(
        runs=runs,
        known_runs=round(runs * statistics.fmean(known)),
        film_s=runs * statistics.fmean(films),
        wall_s=runs * statistics.fmean(c.wall_s * (1 - k) for c, k in pairs) * slower / jobs,
        jobs=jobs,
        stored_bytes=round(
            runs * statistics.fmean(c.stored_bytes * (1 - k) for c, k in pairs) * larger
        ),
        exact=len(looked_at) == expansion.combination_count()
        and not (spec.replicates_where or spec.search),
        measured_runs=measured,
    )


def expected_wall_s(session: Session, experiments: Sequence[Experiment]) -> float:
    """Mean wall time of a run of these experiments, calibrated by recent runs."""
    slower, _, _ = _calibration(session)
    return slower * statistics.fmean(cost.expected(each).wall_s for each in experiments)


def _known(session: Session, spec: Spec, lab: Lab, looked_at: Sequence[Experiment]) -> list[float]:
    """The share of each experiment's replicates, the first ones if those are many, that have a
    result."""
    most = max(1, min(spec.replicates, _LOOKED_UP // len(looked_at)))
    seeds = [seed_of(spec.seed, spec.replicate_seeds, replicate) for replicate in range(most)]
    keys = [
        [key(seed) for seed in seeds]
        for key in (key_of_seed(each, lab.hash_of(each), lab.roles_hash) for each in looked_at)
    ]
    every = iter([key for some in keys for key in some])
    found: set[str] = set()
    while chunk := list(islice(every, _KEYS_AT_ONCE)):
        finished = select(Result.key).where(Result.key.in_(chunk), Result.outcome != "removing")
        found.update(session.scalars(finished))
    return [statistics.fmean(key in found for key in some) for some in keys]


def _calibration(session: Session) -> tuple[float, float, int]:
    """How much slower and larger than usual recent runs were, and how many those are."""
    clients = func.json_array_length(Result.metrics["clients"])
    recent = session.execute(
        select(Result.film_s, Result.wall_s, Result.size_bytes, clients)
        .order_by(Result.id.desc())
        .limit(_RECENT)
    ).all()
    found = [
        (cost.usual(film_s, number or 1), wall_s, size) for film_s, wall_s, size, number in recent
    ]
    if not found:
        return 1.0, 1.0, 0
    slower = statistics.median(wall_s / usual.wall_s for usual, wall_s, _ in found)
    larger = statistics.median(size / usual.stored_bytes for usual, _, size in found)
    return slower, larger, len(found)


def jobs_up(session: Session) -> int:
    """Runs that the workers carry out at a time; 1 where there is none."""
    return int(session.scalar(select(func.sum(Worker.jobs)).where(Worker.state == "up")) or 1)
