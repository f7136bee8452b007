"""What a campaign will cost: from its experiments, and from how runs went here before."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from weir.expand import count
from weir.spec import Campaign as Spec

from weir_orchestrator.db import Result, Worker
from weir_orchestrator.submission.reading import combination_count, experiments

__all__ = ["Estimate", "estimate"]

# Fitted to docs/benchmarks.md, wall time of a cell by clients: 0.27 s for one, 4.13 s for 32.
_BOOT_S = 0.21
_WALL_S_PER_CLIENT_S = 0.002
# Ben Ameur scenario 1: 598 MiB for 720 runs of 180 s with two clients.
_BYTES_PER_CLIENT_S = 2_400.0
_RECENT = 200


@dataclass(frozen=True)
class Estimate:
    """runs, film_s, stored_bytes: of the whole campaign; wall_s: of it with `jobs` runs at a time.

    jobs: of the workers that are up; 1 where there is none. exact: all combinations were looked
    at and have equally many replicates; else one was for every level. measured_runs: finished
    runs that wall_s and stored_bytes are calibrated by; 0: the project's own benchmarks stand in.
    Runs that have a result already are not subtracted.
    """

    runs: int
    film_s: float
    wall_s: float
    jobs: int
    stored_bytes: int
    exact: bool
    measured_runs: int


@dataclass(frozen=True)
class _Cost:
    wall_s: float
    stored_bytes: float


def estimate(session: Session, spec: Spec) -> Estimate:
    """Raises SpecError for a combination that is not sound."""
    looked_at = list(experiments(spec))
    films = [float(experiment["duration_s"]) for experiment in looked_at]
    costs = [_expected(experiment) for experiment in looked_at]
    slower, larger, measured = _calibration(session)
    runs, jobs = count(spec), _jobs(session)
    return Estimate(
        runs=runs,
        film_s=runs * statistics.fmean(films),
        wall_s=runs * statistics.fmean(cost.wall_s for cost in costs) * slower / jobs,
        jobs=jobs,
        stored_bytes=round(runs * statistics.fmean(c.stored_bytes for c in costs) * larger),
        exact=len(looked_at) == combination_count(spec) and not spec.replicates_where,
        measured_runs=measured,
    )


def _expected(experiment: dict[str, Any]) -> _Cost:
    film_s = float(experiment["duration_s"])
    cost = _usual(film_s, len(experiment["clients"]))
    if experiment["clock"] == "real":
        return _Cost(film_s + _BOOT_S, cost.stored_bytes)
    return cost


def _usual(film_s: float, clients: int) -> _Cost:
    client_s = film_s * max(1, clients)
    return _Cost(_BOOT_S + _WALL_S_PER_CLIENT_S * client_s, _BYTES_PER_CLIENT_S * client_s)


def _calibration(session: Session) -> tuple[float, float, int]:
    """How much slower and larger than usual recent runs were, and how many those are."""
    clients = func.json_array_length(Result.metrics["clients"])
    recent = session.execute(
        select(Result.film_s, Result.wall_s, Result.size_bytes, clients)
        .order_by(Result.id.desc())
        .limit(_RECENT)
    ).all()
    found = [(_usual(film_s, number or 1), wall_s, size) for film_s, wall_s, size, number in recent]
    if not found:
        return 1.0, 1.0, 0
    slower = statistics.median(wall_s / usual.wall_s for usual, wall_s, _ in found)
    larger = statistics.median(size / usual.stored_bytes for usual, _, size in found)
    return slower, larger, len(found)


def _jobs(session: Session) -> int:
    return int(session.scalar(select(func.sum(Worker.jobs)).where(Worker.state == "up")) or 1)
