"""A campaign's results judged against a baseline's: every metric of every combination."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from sqlalchemy import select
from sqlalchemy.orm import Session
from weir_engine.errors import BadInput
from weir_engine.regression import Judgement, effects, judge, pair
from weir_engine.rows import Row

from weir_orchestrator.api.results.schemas import Regressions
from weir_orchestrator.api.runs.levels import combinations
from weir_orchestrator.db import Campaign, Result, Run
from weir_orchestrator.errors import FieldProblem, Unprocessable

if TYPE_CHECKING:
    from weir.metrics import Metrics

__all__ = ["regressions"]


def regressions(
    session: Session, baseline: Campaign, campaign: Campaign, asked: Sequence[str]
) -> Regressions:
    """asked: effects that matter, `METRIC=SIZE`. Raises Unprocessable."""
    try:
        matters = effects.parsed(asked)
    except effects.NotAnEffect as error:
        problem = FieldProblem(path="effect", value=error.text, allowed=error.allowed)
        raise Unprocessable("1 problem", [problem]) from error
    try:
        pairs, remarks = pair(_rows(session, baseline), _rows(session, campaign), _differ)
    except BadInput as error:
        allowed = "a campaign of the same factors, with runs of the same seeds that succeeded"
        problem = FieldProblem(path="baseline", value=str(baseline.id), allowed=allowed)
        raise Unprocessable(str(error), [problem]) from error
    return _told(baseline, campaign, judge(pairs, matters, remarks), matters)


def _rows(session: Session, campaign: Campaign) -> list[Row]:
    levels = combinations(session, campaign)
    query = (
        select(Run.key, Run.combination, Run.replicate, Run.seed, Run.state, Result.metrics)
        .outerjoin(Result, Result.id == Run.result_id)
        .where(Run.campaign_id == campaign.id)
        .order_by(Run.position)
    )
    return [
        Row(
            key,
            levels[combination],
            replicate,
            seed,
            state,
            "",
            Path(),
            cast("Metrics | None", metrics),
        )
        for key, combination, replicate, seed, state, metrics in session.execute(query)
        if combination in levels
    ]


def _differ(before: Row, after: Row) -> bool:
    # What a run left is in the object store; its numbers are here, rounded to 9 digits.
    return before.metrics != after.metrics


def _told(
    baseline: Campaign,
    campaign: Campaign,
    judgement: Judgement,
    matters: Mapping[str, effects.Effect],
) -> Regressions:
    return Regressions.model_validate(
        {
            "baseline": baseline.id,
            "campaign_id": campaign.id,
            "worse": len(judgement.worse),
            "combinations": judgement.combinations,
            "changed": judgement.changed,
            "not_compared": judgement.remarks,
            "verdicts": [
                vars(one) | {"matters_from": matters[one.metric].of(one.before)}
                for one in judgement.judged
            ],
        }
    )
