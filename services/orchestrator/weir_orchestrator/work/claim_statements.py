"""What a claim asks the database.

Built once: building them takes longer than Postgres needs for the answer.
"""

from __future__ import annotations

import uuid
from datetime import datetime
from functools import cache
from typing import Final, TypeAlias

from sqlalchemy import Select, and_, bindparam, literal, or_, select, update
from sqlalchemy.orm import aliased

from weir_orchestrator.db import (
    IS_QUEUED,
    Campaign,
    Combination,
    Lease,
    Result,
    Run,
    Team,
    any_queued,
)
from weir_orchestrator.db.dialect import clock
from weir_orchestrator.lifecycle import table

__all__ = ["BEGUN", "QUEUED", "STILL_CLAIMABLE", "with_queued_runs"]

_Campaigns: TypeAlias = Select[
    uuid.UUID, uuid.UUID, str, str, int, datetime, datetime | None, int | None, int
]

STILL_CLAIMABLE: Final = (
    select(Campaign.id)
    .where(Campaign.id == bindparam("of_campaign"), Campaign.state.in_(table.CLAIMABLE))
    .with_for_update(read=True, key_share=True)
)
"""Whoever pauses or cancels it waits for claims under way, and later claims see that."""
BEGUN: Final = (
    update(Campaign)
    .where(Campaign.id == bindparam("of_campaign"), Campaign.started_at.is_(None))
    .values(started_at=clock())
    .execution_options(synchronize_session=False)
)
"""Once it has runs for sure, as it locks the campaign: a claim that goes on to the next campaign
would keep it locked for others, which come from there."""
_SAME_KEY = aliased(Run)
_FAILED: Final = (
    select(_SAME_KEY.id)
    .where(_SAME_KEY.key == Run.key, _SAME_KEY.state == "failed")
    .limit(1)
    .scalar_subquery()
    .correlate(Run)
)
"""One of them, not whether there is any: by what it expects of the whole campaign, Postgres may
gather every failed run there is, for each claim anew."""
QUEUED: Final = (
    select(
        Run.__table__,
        Combination.levels,
        Combination.experiment,
        Combination.kernel_hash.label("own_kernel"),
        Result.id.label("made"),
        Result.outcome,
        Result.reason.label("told"),
        _FAILED.is_not(None).label("has_failed"),
        clock().label("moment"),
    )
    .join(
        Combination,
        and_(Combination.campaign_id == Run.campaign_id, Combination.number == Run.combination),
    )
    .outerjoin(Result, Result.key == Run.key)
    .where(Run.campaign_id == bindparam("of_campaign"), Run.clock == bindparam("of_clock"))
    .where(Run.position >= bindparam("from_position"))
    .where(IS_QUEUED, ~select(Lease.key).where(Lease.key == Run.key).exists())
    .where(Result.outcome.is_distinct_from("removing"))
    .order_by(Run.position)
    .limit(bindparam("at_most"))
    .with_for_update(of=Run, skip_locked=True)
)
"""The first of a campaign that nobody carries out, locked, with what is known of their keys."""


@cache
def with_queued_runs(clocks: tuple[str, ...]) -> _Campaigns:
    """Campaigns of some roles and kernels that have runs on any of these clocks.

    Each clock is asked for by itself, and stands in the statement: a plan for several sorts all
    that wait, where it expects few, and one for any clock looks through those of another one.
    """
    waits = (any_queued(Run.clock == literal(each, literal_execute=True)) for each in clocks)
    return (
        select(
            Campaign.id,
            Campaign.team_id,
            Campaign.name,
            Campaign.kernel_hash,
            Campaign.priority,
            Campaign.created_at,
            Campaign.started_at,
            Team.max_running,
            Team.share,
        )
        .join(Team, Team.id == Campaign.team_id)
        .where(
            Campaign.state.in_(table.CLAIMABLE),
            Campaign.roles_hash == bindparam("roles"),
            Campaign.kernel_hash.in_(bindparam("kernels", expanding=True)),
            or_(*waits),
        )
    )
