"""Taking the next run: the team with the fewest running for its share first, then priority, age.

A claim moves runs to running and puts leases on their keys in one transaction: one run, or of one
campaign as many as the worker begins in a moment, so that teams are out of turn for a moment only.
A queued run whose key got its result meanwhile is ended with it instead of being carried out.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any, Final

from sqlalchemy import Row, and_, bindparam, func, select, update
from sqlalchemy.orm import Session, aliased
from weir.resolved import Experiment

from weir_orchestrator.db import Campaign, Combination, Lease, Result, Run, Team
from weir_orchestrator.db.columns import insert_new_columns
from weir_orchestrator.db.dialect import clock
from weir_orchestrator.lifecycle import end_runs, start_runs, table

__all__ = ["CLOCKS", "Claim", "Versions", "claim", "in_turn", "running_by_team"]

CLOCKS: Final = ("virtual", "real")


@dataclass(frozen=True)
class Versions:
    """What a worker can carry out: runs on these clocks, those of the first one first, of
    campaigns made for these roles and one of these kernels. campaign: the only one, if any."""

    roles: str
    kernels: Collection[str]
    clocks: Sequence[str] = CLOCKS
    campaign: uuid.UUID | None = None


@dataclass(frozen=True)
class Claim:
    """A run that a worker holds the lease for. kernel_hash: of the kernel that it runs in.
    certifies: it is not to be kept, but compared with the result that its key has. attempts: this
    one included. failed_before: there may be logs of a failure of this key, here or in another
    campaign."""

    run_id: int
    key: str
    campaign_id: uuid.UUID
    team_id: uuid.UUID
    campaign: str
    kernel_hash: str
    position: int
    replicate: int
    seed: int
    replaces: bool
    certifies: bool
    attempts: int
    failed_before: bool
    queued_at: datetime
    levels: dict[str, Any]
    experiment: Experiment


# Asked for every claim, and building them takes longer than Postgres needs for the answer.
_WITH_QUEUED_RUNS: Final = (
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
        select(Run.id)
        .where(
            Run.campaign_id == Campaign.id,
            Run.clock.in_(bindparam("clocks", expanding=True)),
            Run.state == "queued",
        )
        .exists(),
    )
)
_STILL_CLAIMABLE: Final = (
    select(Campaign.id)
    .where(Campaign.id == bindparam("of_campaign"), Campaign.state.in_(table.CLAIMABLE))
    .with_for_update(read=True, key_share=True)
)
"""Whoever pauses or cancels it waits for claims under way, and later claims see that."""
_BEGUN: Final = (
    update(Campaign)
    .where(Campaign.id == bindparam("of_campaign"), Campaign.started_at.is_(None))
    .values(started_at=clock())
    .execution_options(synchronize_session=False)
)
"""Once it has runs for sure, as it locks the campaign: a claim that goes on to the next campaign
would keep it locked for others, which come from there."""
_SAME_KEY = aliased(Run)
_QUEUED: Final = (
    select(
        Run.__table__,
        Combination.levels,
        Combination.experiment,
        Combination.kernel_hash.label("own_kernel"),
        Result.id.label("made"),
        Result.outcome,
        Result.reason.label("told"),
        select(_SAME_KEY.id)
        .where(_SAME_KEY.key == Run.key, _SAME_KEY.state == "failed")
        .exists()
        .label("has_failed"),
        clock().label("moment"),
    )
    .join(
        Combination,
        and_(Combination.campaign_id == Run.campaign_id, Combination.number == Run.combination),
    )
    .outerjoin(Result, Result.key == Run.key)
    .where(Run.campaign_id == bindparam("of_campaign"), Run.clock == bindparam("of_clock"))
    .where(Run.state == "queued", ~select(Lease.key).where(Lease.key == Run.key).exists())
    .where(Result.outcome.is_distinct_from("removing"))
    .order_by(Run.position)
    .limit(bindparam("at_most"))
    .with_for_update(of=Run, skip_locked=True)
)
"""The first of a campaign that nobody carries out, locked, with what is known of their keys."""


def claim(
    session: Session,
    worker_id: uuid.UUID,
    versions: Versions,
    lease: timedelta,
    at_most: int = 1,
) -> list[Claim]:
    """Take the next runs for a worker, all of one campaign; empty when there is none for it now.

    The session is to be committed, then the runs to be started.
    """
    candidates = _candidates(session, versions)
    quotas = _quotas(session, candidates)
    several = len({row.team_id for row in candidates}) > 1
    running = running_by_team(session) if several or quotas else {}
    for one in in_turn(candidates, running):
        room = _room(session, one, quotas, running, at_most)
        for of_clock in versions.clocks if room else ():
            if found := _next_of(session, one, of_clock, worker_id, lease, room):
                return found
    return []


def in_turn(campaigns: Iterable[Row[Any]], running: Mapping[uuid.UUID, int]) -> list[Row[Any]]:
    """Campaigns, with their team's `share`, in the order in which their runs are claimed."""

    def turn(row: Row[Any]) -> tuple[float, int, datetime]:
        return running.get(row.team_id, 0) / row.share, -row.priority, row.created_at

    return sorted(campaigns, key=turn)


def _candidates(session: Session, versions: Versions) -> list[Row[Any]]:
    query = _WITH_QUEUED_RUNS
    if versions.campaign is not None:
        query = query.where(Campaign.id == versions.campaign)
    asked = {
        "roles": versions.roles,
        "kernels": list(versions.kernels),
        "clocks": list(versions.clocks),
    }
    return list(session.execute(query, asked))


def running_by_team(session: Session, team_id: uuid.UUID | None = None) -> dict[uuid.UUID, int]:
    """Team -> runs that workers hold now; of all teams or of one."""
    query = (
        select(Campaign.team_id, func.count())
        .select_from(Lease)
        .join(Run, Run.id == Lease.run_id)
        .join(Campaign, Campaign.id == Run.campaign_id)
        .group_by(Campaign.team_id)
    )
    if team_id is not None:
        query = query.where(Campaign.team_id == team_id)
    return dict(session.execute(query).all())


def _quotas(session: Session, campaigns: Iterable[Row[Any]]) -> dict[uuid.UUID, int]:
    """How many runs of a team may run at once, of those teams that have a bound.

    Held until the end of this claim: two at once would both find the last place free. All are
    locked in one order, as claims look at teams in many: of two, each would wait for the other.
    """
    bounded = {row.team_id for row in campaigns if row.max_running is not None}
    if not bounded:
        return {}
    teams = select(Team.id, Team.max_running).where(Team.id.in_(bounded)).order_by(Team.id)
    held = session.execute(teams.with_for_update(key_share=True))
    return {row.id: row.max_running for row in held if row.max_running is not None}


def _room(
    session: Session,
    campaign: Row[Any],
    quotas: Mapping[uuid.UUID, int],
    running: Mapping[uuid.UUID, int],
    at_most: int,
) -> int:
    """How many runs of a campaign may be begun: by its team's quota, and while it goes on."""
    if campaign.team_id in quotas:
        at_most = min(at_most, quotas[campaign.team_id] - running.get(campaign.team_id, 0))
    goes_on = at_most > 0 and session.scalar(_STILL_CLAIMABLE, {"of_campaign": campaign.id})
    return at_most if goes_on else 0


def _next_of(
    session: Session,
    campaign: Row[Any],
    of_clock: str,
    worker_id: uuid.UUID,
    lease: timedelta,
    at_most: int,
) -> list[Claim]:
    asked = {"of_campaign": campaign.id, "of_clock": of_clock, "at_most": at_most}
    while runs := session.execute(_QUEUED, asked).all():
        to_run: dict[str, Row[Any]] = {}
        for run in _fresh(runs) or runs[:1]:
            if run.outcome is not None and not (run.replaces or run.certifies):
                end_runs(session, Run.id == run.id, table.SHARE, run.told, run.outcome, run.made)
            else:
                to_run.setdefault(run.key, run)  # a later one of the same key waits for its end
        leased = _lease(session, worker_id, lease, to_run)
        if taken := [run for key, run in to_run.items() if key in leased]:
            if campaign.started_at is None:
                session.execute(_BEGUN, {"of_campaign": campaign.id})
            start_runs(
                session, campaign.team_id, campaign.id, {run.id: run.position for run in taken}
            )
            return [_claim(campaign, run) for run in taken]
    return []


def _fresh(runs: Sequence[Row[Any]]) -> list[Row[Any]]:
    """Those that were never tried, up to the first that was: such a one is claimed by itself, for
    where it takes its worker along again, those claimed with it would count as tried, too."""
    return list(takewhile(lambda run: not run.attempts, runs))


def _lease(
    session: Session, worker_id: uuid.UUID, lease: timedelta, runs: Mapping[str, Row[Any]]
) -> set[str]:
    """Those of some keys that nobody else has a lease for; the worker has it now."""
    if not runs:
        return set()
    # In one order: of two workers, none waits for a key of the other, who waits for one of its.
    keys = sorted(runs)
    same = {"worker_id": worker_id, "until": runs[keys[0]].moment + lease}
    columns = {"key": keys, "run_id": [runs[key].id for key in keys]}
    return {row.key for row in insert_new_columns(session, Lease, same, columns, "key")}


def _claim(campaign: Row[Any], run: Row[Any]) -> Claim:
    attempts = run.attempts + 1
    return Claim(
        run_id=run.id,
        key=run.key,
        campaign_id=campaign.id,
        team_id=campaign.team_id,
        campaign=campaign.name,
        kernel_hash=run.own_kernel or campaign.kernel_hash,
        position=run.position,
        replicate=run.replicate,
        seed=run.seed,
        replaces=run.replaces,
        certifies=run.certifies,
        attempts=attempts,
        failed_before=attempts > 1 or run.has_failed,
        queued_at=run.queued_at,
        levels=run.levels,
        experiment=run.experiment,
    )
