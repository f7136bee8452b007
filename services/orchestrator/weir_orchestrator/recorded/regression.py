"""A campaign's results judged against a baseline's."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sqlalchemy.orm import Session
from weir_engine.regression import Judgement, effects, judge, pair
from weir_engine.row import Row

from weir_orchestrator.db import Campaign
from weir_orchestrator.objects import ObjectStore
from weir_orchestrator.recorded.combinations import all_combinations
from weir_orchestrator.recorded.rows import rows_of

__all__ = ["judge_campaign"]


def judge_campaign(
    session: Session,
    objects: ObjectStore,
    baseline: Campaign,
    campaign: Campaign,
    matters: Mapping[str, effects.Effect],
) -> Judgement:
    """Every metric of every combination that both have.

    Raises BadInput where nothing is common, Unprocessable for more runs than fit.
    """
    before, after = (
        rows_of(session, objects, each, all_combinations(session, each.id), Path())
        for each in (baseline, campaign)
    )
    pairs, remarks = pair(before, after, _differ)
    return judge(pairs, matters, remarks)


def _differ(before: Row, after: Row) -> bool:
    # What a run left is in the object store; its numbers are here, rounded to 9 digits.
    return before.metrics != after.metrics
