"""Runs that wait for a worker or have one, as statements ask for them."""

from __future__ import annotations

from typing import Final

from sqlalchemy import ColumnElement, literal, or_, select
from weir_engine.states import OPEN

from weir_orchestrator.db.campaigns import Campaign
from weir_orchestrator.db.runs import Run

__all__ = ["IS_QUEUED", "any_open", "any_queued"]


def _is(state: str) -> ColumnElement[bool]:
    """The state stands in the statement: for any, which is how Postgres plans what it was asked
    often, the index of queued runs is of no use, and each claim would look at all of them."""
    return Run.state == literal(state, literal_execute=True)


IS_QUEUED: Final[ColumnElement[bool]] = _is("queued")


def any_queued(*also: ColumnElement[bool]) -> ColumnElement[bool]:
    """That the statement's campaign has a queued run, one that is this as well."""
    return _any(IS_QUEUED, *also)


def any_open() -> ColumnElement[bool]:
    """That a run of the statement's campaign has not ended."""
    return or_(*(_any(_is(state)) for state in OPEN))


def _any(*what: ColumnElement[bool]) -> ColumnElement[bool]:
    """Asks for the last one, not whether there is any: to join with them, Postgres would gather
    all, and to find one anywhere it may read the table, from those on that ended first. The last
    are carried out last, so that in an index none that has ended comes before it."""
    those = select(Run.id).where(Run.campaign_id == Campaign.id, *what)
    last = those.order_by(Run.position.desc()).limit(1)
    return last.scalar_subquery().is_not(None)
