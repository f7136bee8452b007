"""How far a campaign is: counts, rates, and when it will be over."""

from __future__ import annotations

from dataclasses import asdict
from typing import cast

from sqlalchemy.orm import Session
from weir_engine.states import OPEN

from weir_orchestrator.api.campaigns import queries
from weir_orchestrator.api.campaigns.progress_schemas import KernelBuild, Progress, SearchProgress
from weir_orchestrator.db import Campaign
from weir_orchestrator.lifecycle import CampaignState, table
from weir_orchestrator.recorded.search import looks_of, search_of, tally

__all__ = ["progress"]


def progress(session: Session, campaign: Campaign) -> Progress:
    """As it is now."""
    counts = queries.counted(session, [campaign])[campaign.id]
    waiting = sum(counts.get(state, 0) for state in OPEN)
    ended = sum(counts.values()) - waiting
    rate = queries.ended_per_s(session, campaign.id)
    left = campaign.run_count - ended
    going_on = campaign.state in table.CLAIMABLE
    return Progress(
        state=cast("CampaignState", campaign.state),
        run_count=campaign.run_count,
        expanded=campaign.expanded,
        ended=ended,
        counts=counts,
        runs_per_s=rate,
        speed=rate * campaign.film_s / campaign.expanded if rate else None,
        eta_s=left / rate if rate and going_on and not campaign.searching else None,
        search=_of_search(session, campaign),
        kernel_build=_kernel_build(session, campaign) if going_on else None,
    )


def _of_search(session: Session, campaign: Campaign) -> SearchProgress | None:
    search = search_of(campaign)
    if search is None:
        return None
    return SearchProgress(**asdict(tally(search, looks_of(session, campaign, search))))


def _kernel_build(session: Session, campaign: Campaign) -> KernelBuild | None:
    told = queries.kernel_build(session, campaign)
    return KernelBuild.model_validate(told) if told else None
