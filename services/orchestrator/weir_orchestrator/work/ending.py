"""Ends of runs and, after the last one, of their campaign. A run ends exactly once."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Collection
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, or_, select, update
from sqlalchemy.orm import Session

from weir_orchestrator.db import Campaign, Run
from weir_orchestrator.db.base import Json
from weir_orchestrator.db.dialect import clock
from weir_orchestrator.events import emit
from weir_orchestrator.submission.ending import count_states, settle

__all__ = ["OPEN", "end_campaign", "end_runs", "hold_campaigns", "over"]

OPEN = ("queued", "running")
"""States of runs that have not ended."""
_OVER: Final = and_(
    or_(
        and_(Campaign.state.in_(("active", "paused")), Campaign.expanded == Campaign.run_count),
        and_(Campaign.state.in_(("cancelled", "refused")), Campaign.counts.is_(None)),
    ),
    ~select(Run.id).where(Run.campaign_id == Campaign.id, Run.state.in_(OPEN)).exists(),
)
_ALL_OVER: Final = select(Campaign.id).where(_OVER)


def end_runs(
    session: Session,
    which: ColumnElement[bool],
    states: Collection[str],
    state: str,
    reason: str,
    result_id: int | None = None,
    **others: Any,
) -> set[uuid.UUID]:
    """End those of some runs that are in one of `states`, each with an event; their campaigns.

    result_id: of runs that succeeded or are invalid. others: what else of these runs to set.
    `end_campaign` of these is for the transaction after this one: it locks campaigns.
    """
    hold_campaigns(session, which)
    runs = session.execute(
        select(Run.id, Run.campaign_id, Run.position, Campaign.team_id)
        .join(Campaign, Campaign.id == Run.campaign_id)
        .where(which, Run.state.in_(states))
        .order_by(Run.id)
        .with_for_update(of=Run)
    ).all()
    if not runs:
        return set()
    session.execute(
        update(Run)
        .where(Run.id.in_([run.id for run in runs]))
        .values(state=state, reason=reason, result_id=result_id, ended_at=clock(), **others),
        execution_options={"synchronize_session": False},
    )
    ended: dict[tuple[uuid.UUID, uuid.UUID], list[Json]] = defaultdict(list)
    for run in runs:
        data = {"run_id": run.id, "position": run.position, "state": state, "reason": reason}
        ended[run.team_id, run.campaign_id].append(data)
    for (team_id, campaign_id), some in ended.items():
        emit(session, team_id, campaign_id, "run.ended", *some)
    return {run.campaign_id for run in runs}


def hold_campaigns(session: Session, which: ColumnElement[bool]) -> None:
    """Lock the campaigns of some runs as events of theirs will, before the runs are locked."""
    of = select(Run.campaign_id).where(which)
    held = select(Campaign.id).where(Campaign.id.in_(of)).order_by(Campaign.id)
    session.execute(held.with_for_update(read=True, key_share=True))


def over(session: Session) -> list[uuid.UUID]:
    """Campaigns whose runs have all ended, which nobody has noted yet."""
    return list(session.scalars(_ALL_OVER))


def end_campaign(session: Session, campaign_id: uuid.UUID) -> None:
    """Settle a campaign whose runs have all ended; nothing where some have not.

    Counts of a campaign that finished earlier are brought up to date.
    """
    asked = select(Campaign).where(Campaign.id == campaign_id)
    found = session.scalars(asked.where(or_(_OVER, Campaign.state == "finished"))).first()
    if found is None:
        return
    session.refresh(found, with_for_update={"key_share": True})
    if found.state == "finished":
        found.counts = count_states(session, [campaign_id])[campaign_id]
    else:
        settle(session, found)
