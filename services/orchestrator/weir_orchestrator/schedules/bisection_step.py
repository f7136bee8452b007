"""A commit of a bisection: what is run of it, and whether that is good or bad."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import yaml
from sqlalchemy.orm import Session
from weir_engine.errors import BadInput
from weir_engine.levels import identity
from weir_engine.regression import SHOWN, beside, judge
from weir_engine.regression.effects import parsed
from weir_engine.regression.wording import line
from weir_engine.row import Row

from weir_orchestrator.db import Bisection, Campaign, Schedule
from weir_orchestrator.recorded.combinations import all_combinations
from weir_orchestrator.recorded.regression import paired, rows_to_judge
from weir_orchestrator.schedules.bisection_replicates import (
    combinations_of,
    first_replicates,
    looked_at,
    may_grow,
    nights,
)
from weir_orchestrator.submission import Submission

__all__ = ["TOLD", "matters", "outcome_of", "submission_of"]

TOLD: Final = 3
"""Lines, the worst first."""


def submission_of(session: Session, bad: Campaign, bisection: Bisection) -> Submission:
    """The bad night in the combinations that became worse, with its first replicates."""
    wanted = combinations_of(bisection)
    combinations = all_combinations(session, bad.id).values()
    others = [levels for levels in combinations if identity(levels) not in wanted]
    # A question would end it before all replicates ran.
    spec = {
        key: value for key, value in bad.spec.items() if key != "question" and value is not None
    }
    spec |= {
        "name": f"{bad.name[:90]}-bisect",
        "exclude": [*spec.get("exclude", []), *others],
        "replicates": first_replicates(session, bisection),
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


def outcome_of(
    session: Session, bisection: Bisection, step: Campaign
) -> tuple[str, list[str]] | None:
    """`good`, `bad` or `skipped`, and why; None: the other replicates are needed for that."""
    good, bad = nights(session, bisection)
    rows = rows_to_judge(session, step)
    succeeded = sum(row.state == "succeeded" for row in rows)
    if not succeeded:
        return "skipped", [f"none of its runs succeeded: {_reason(step, rows)}"]
    alike = [outcome for outcome, other in (("bad", bad), ("good", good)) if _same(rows, other)]
    few = may_grow(session, bisection, step)
    if alike and not (few and (len(alike) > 1 or succeeded < len(rows))):
        told = f"every number of its {succeeded} runs is that of the {alike[0]} night"
        return alike[0], [told]
    if not alike and not any(verdict in SHOWN for *_, verdict in looked_at(bisection)):
        return "bad", ["its numbers are not those of the good night"]
    return None if few else _judged(session, bisection, good, rows)


def _judged(
    session: Session, bisection: Bisection, good: Sequence[Row], rows: Sequence[Row]
) -> tuple[str, list[str]]:
    """By statistics: whether anything is shown to be what it is in the bad night."""
    moved: dict[str, dict[str, str]] = {}
    for combination, metric, verdict in looked_at(bisection):
        moved.setdefault(combination, {})[metric] = verdict
    try:
        pairs, _ = paired(good, rows)
    except BadInput as error:
        return "skipped", [str(error)]
    schedule = session.get_one(Schedule, bisection.schedule_id)
    chosen = [each.only(moved[identity(each.levels)]) for each in pairs]
    judged = judge(chosen, matters(schedule)).judged
    is_bad = any(one.verdict == moved[identity(one.levels)][one.metric] for one in judged)
    return "bad" if is_bad else "good", [line(one) for one in judged[:TOLD]]


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
