"""A commit of a bisection: what is run of it, and whether that is good or bad."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import yaml
from sqlalchemy import func, select
from sqlalchemy.orm import Session
from weir_engine.errors import BadInput
from weir_engine.levels import identity
from weir_engine.regression import beside, judge
from weir_engine.regression.effects import parsed
from weir_engine.regression.wording import line
from weir_engine.row import Row

from weir_orchestrator.db import Bisection, Campaign, Run, Schedule
from weir_orchestrator.recorded.combinations import all_combinations
from weir_orchestrator.recorded.regression import paired, rows_to_judge
from weir_orchestrator.submission import Submission

__all__ = ["TOLD", "matters", "outcome_of", "submission_of"]

TOLD: Final = 3
"""Lines, the worst first."""


def submission_of(session: Session, bad: Campaign, bisection: Bisection) -> Submission:
    """The bad night in the combinations that became worse, with as many replicates."""
    wanted = {combination for combination, _ in bisection.worse}
    combinations = all_combinations(session, bad.id)
    counted = (
        select(Run.combination, func.count())
        .where(Run.campaign_id == bad.id)
        .group_by(Run.combination)
    )
    counts = dict(session.execute(counted).all())
    numbers = [number for number, levels in combinations.items() if identity(levels) in wanted]
    others = [levels for levels in combinations.values() if identity(levels) not in wanted]
    # A question would end it before all replicates ran.
    spec = {
        key: value for key, value in bad.spec.items() if key != "question" and value is not None
    }
    spec |= {
        "name": f"{bad.name[:90]}-bisect",
        "exclude": [*spec.get("exclude", []), *others],
        "replicates": max(counts[number] for number in numbers),
        "replicates_where": [],
    }
    return replace(
        Submission.of_campaign(bad),
        document=yaml.safe_dump(spec, sort_keys=False),
        overrides={},
        replicates=None,
        seed=None,
        cloned_from=bad.id,
    )


def outcome_of(session: Session, bisection: Bisection, step: Campaign) -> tuple[str, list[str]]:
    """`good`, `bad` or `skipped`, and why."""
    wanted = {combination for combination, _ in bisection.worse}
    good, bad = (
        rows_to_judge(session, session.get_one(Campaign, each), wanted)
        for each in (bisection.good_id, bisection.bad_id)
    )
    rows = rows_to_judge(session, step)
    if not any(row.state == "succeeded" for row in rows):
        return "skipped", [f"none of its runs succeeded: {_reason(step, rows)}"]
    for outcome, other in (("bad", bad), ("good", good)):
        if _same(rows, other):
            return outcome, [f"every number is that of the {outcome} night"]
    metrics: dict[str, set[str]] = {}
    for combination, metric in bisection.worse:
        metrics.setdefault(combination, set()).add(metric)
    try:
        pairs, _ = paired(good, rows)
    except BadInput as error:
        return "skipped", [str(error)]
    schedule = session.get_one(Schedule, bisection.schedule_id)
    chosen = [each.only(metrics[identity(each.levels)]) for each in pairs]
    judgement = judge(chosen, matters(schedule))
    return "bad" if judgement.worse else "good", [line(one) for one in judgement.judged[:TOLD]]


def _same(rows: Sequence[Row], other: Sequence[Row]) -> bool:
    """Whether all that both have is alike."""
    by_combination: dict[str, list[Row]] = {}
    for row in other:
        by_combination.setdefault(identity(row.levels), []).append(row)
    mine: dict[str, list[Row]] = {}
    for row in rows:
        mine.setdefault(identity(row.levels), []).append(row)
    compared = [
        (a, b)
        for combination, some in mine.items()
        for a, b in beside(some, by_combination.get(combination, []))
        if b is not None and a.state == b.state == "succeeded"
    ]
    return bool(compared) and all(a.metrics == b.metrics for a, b in compared)


def _reason(step: Campaign, rows: Sequence[Row]) -> str:
    reasons = [row.reason for row in rows if row.reason]
    refused = [str(problem.get("remedy") or problem) for problem in step.problems]
    return next(iter([*reasons, *refused]), step.state)


def matters(schedule: Schedule) -> Mapping[str, Any]:
    """From which size on a difference does, by metric."""
    return parsed(f"{metric}={size}" for metric, size in schedule.effects.items())
