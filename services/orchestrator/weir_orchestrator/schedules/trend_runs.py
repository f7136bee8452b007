"""A trend's runs in a night: those that succeeded at its combination."""

from __future__ import annotations

import uuid

from sqlalchemy import Select, select
from sqlalchemy.orm import Session
from weir_engine.levels import identity

from weir_orchestrator.db import Run, Trend
from weir_orchestrator.recorded.combinations import all_combinations, of_combinations

__all__ = ["trend_runs"]


def trend_runs(session: Session, trend: Trend, campaign_id: uuid.UUID) -> Select[Run]:
    """In the campaign's order."""
    of_it = {
        number: levels
        for number, levels in all_combinations(session, campaign_id).items()
        if identity(levels) == trend.combination
    }
    here = (Run.campaign_id == campaign_id, of_combinations(of_it), Run.state == "succeeded")
    return select(Run).where(*here).order_by(Run.position)
