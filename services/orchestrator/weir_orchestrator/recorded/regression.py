"""A campaign's results judged against a baseline's."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from sqlalchemy.orm import Session
from weir_engine.levels import identity
from weir_engine.regression import Judgement, Pairs, effects, judge, pair
from weir_engine.row import Row

from weir_orchestrator.db import Campaign
from weir_orchestrator.recorded.collection import not_collected
from weir_orchestrator.recorded.combinations import all_combinations
from weir_orchestrator.recorded.rows import rows_of

__all__ = ["judge_campaign", "paired", "rows_to_judge"]


def judge_campaign(
    session: Session,
    baseline: Campaign,
    campaign: Campaign,
    matters: Mapping[str, effects.Effect],
) -> Judgement:
    """Every metric of every combination that both have.

    Raises BadInput where nothing is common, Unprocessable for more runs than fit.
    """
    with not_collected():
        before, after = (rows_to_judge(session, each) for each in (baseline, campaign))
        pairs, remarks = paired(before, after)
        return judge(pairs, matters, remarks)


def rows_to_judge(
    session: Session,
    campaign: Campaign,
    wanted: Container[str] | None = None,
) -> list[Row]:
    """A campaign's runs. wanted: identities of combinations; by default of all.

    Raises Unprocessable for more runs than fit.
    """
    numbered = {
        number: levels
        for number, levels in all_combinations(session, campaign.id).items()
        if wanted is None or identity(levels) in wanted
    }
    return rows_of(session, campaign, numbered)


def paired(before: Sequence[Row], after: Sequence[Row]) -> tuple[list[Pairs], list[str]]:
    """As weir_engine.regression.pair. Raises BadInput where nothing is common."""
    return pair(before, after, _differ)


def _differ(before: Row, after: Row) -> bool:
    # What a run left is in the object store; its numbers are here, rounded to 9 digits.
    return before.metrics != after.metrics
