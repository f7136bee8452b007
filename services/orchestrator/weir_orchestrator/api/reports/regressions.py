"""A campaign's results judged against a baseline's: every metric of every combination."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy.orm import Session
from weir_engine.errors import BadInput
from weir_engine.regression import Judgement, effects

from weir_orchestrator.api.reports.schemas import Regressions
from weir_orchestrator.db import Campaign
from weir_orchestrator.errors import FieldProblem, Unprocessable
from weir_orchestrator.recorded.regression import judge_campaign

__all__ = ["regressions"]


def regressions(
    session: Session,
    baseline: Campaign,
    campaign: Campaign,
    asked: Sequence[str],
) -> Regressions:
    """asked: effects that matter, `METRIC=SIZE`. Raises Unprocessable."""
    try:
        matters = effects.parsed(asked)
    except effects.NotAnEffect as error:
        problem = FieldProblem(path="effect", value=error.text, allowed=error.allowed)
        raise Unprocessable("1 problem", [problem]) from error
    try:
        judgement = judge_campaign(session, baseline, campaign, matters)
    except BadInput as error:
        allowed = "a campaign of the same factors, with runs of the same seeds that succeeded"
        problem = FieldProblem(path="baseline", value=str(baseline.id), allowed=allowed)
        raise Unprocessable(str(error), [problem]) from error
    return _told(baseline, campaign, judgement, matters)


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
