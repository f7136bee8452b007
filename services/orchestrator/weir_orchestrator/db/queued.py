"""Runs that wait for a worker, as statements ask for them."""

from __future__ import annotations

from typing import Final

from sqlalchemy import ColumnElement, literal, select

from weir_orchestrator.db.campaigns import Campaign
from weir_orchestrator.db.runs import Run

__all__ = ["IS_QUEUED", "any_queued"]

IS_QUEUED: Final[ColumnElement[bool]] = Run.state == literal("queued", literal_execute=True)
"""The state stands in the statement: for any, which is how Postgres plans what it was asked often,
the index of queued runs is of no use, and each claim would look at all of them."""


def any_queued(*also: ColumnElement[bool]) -> ColumnElement[bool]:
    """That the statement's campaign has a queued run, one that is this as well.

    Its first one is asked for, not whether there is any: to join with them, Postgres would gather
    all, and what its index still has of those that were.
    """
    first = select(Run.id).where(Run.campaign_id == Campaign.id, IS_QUEUED, *also).limit(1)
    return first.scalar_subquery().is_not(None)
