"""Runs that follow those of a campaign that searches, and the end of its search.

Call these with the campaign's row locked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm import Session

from weir_orchestrator.db import Campaign
from weir_orchestrator.lifecycle.campaigns import settle
from weir_orchestrator.lifecycle.runs import add_runs

__all__ = ["follow", "found"]


def follow(
    session: Session,
    campaign: Campaign,
    rows: Sequence[dict[str, Any]],
    combinations: int,
    film_s: float,
) -> None:
    """Queue further runs, given as `add_runs` takes them, with so many new combinations."""
    add_runs(session, rows)
    campaign.run_count += len(rows)
    campaign.expanded += len(rows)
    campaign.combination_count += combinations
    campaign.film_s += film_s


def found(session: Session, campaign: Campaign) -> None:
    """Every subject has a verdict, or cannot have one: the campaign ends with its last run."""
    campaign.searching = False
    session.flush()
    settle(session, campaign)
