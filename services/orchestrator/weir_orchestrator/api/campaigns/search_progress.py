"""How far a campaign's search is, in numbers."""

from __future__ import annotations

from sqlalchemy.orm import Session

from weir_orchestrator.api.campaigns.schemas import SearchProgress
from weir_orchestrator.db import Campaign
from weir_orchestrator.recorded.search import looks_of, most_runs_of, search_of

__all__ = ["search_progress"]


def search_progress(session: Session, campaign: Campaign) -> SearchProgress | None:
    """None: it does not search."""
    search = search_of(campaign)
    if search is None:
        return None
    looks = looks_of(session, campaign, search)
    return SearchProgress(
        subjects=len(looks),
        ended=sum(look.end is not None for look in looks),
        levels_tried=sum(len(look.trials) for look in looks),
        most_runs=most_runs_of(search, looks),
    )
