"""A campaign's question, and what its runs say so far."""

from __future__ import annotations

from sqlalchemy.orm import Session
from weir_engine.regression.question import Answer, Hypothesis, answer, asked_in

from weir_orchestrator.db import Campaign
from weir_orchestrator.recorded.combinations import all_combinations
from weir_orchestrator.recorded.rows import rows_of

__all__ = ["answer_of"]


def answer_of(session: Session, campaign: Campaign) -> tuple[Hypothesis, Answer] | None:
    """None: it asks nothing."""
    asked = asked_in(campaign.spec)
    if asked is None:
        return None
    levels = all_combinations(session, campaign.id)
    return asked, answer(rows_of(session, campaign, levels), asked)
