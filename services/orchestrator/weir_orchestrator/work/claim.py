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

from sqlalchemy import Row, func, select
from sqlalchemy.orm import Session
from weir.resolved import Experiment

from weir_orchestrator.db import Campaign, Lease, Run, Team
from weir_orchestrator.db.columns import insert_new_columns
from weir_orchestrator.lifecycle import end_runs, start_runs, table
from weir_orchestrator.work.claim_statements import (
    BEGUN,
    QUEUED,
    STILL_CLAIMABLE,
    with_queued_runs,
)
from weir_orchestrator.work.front import Front

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


def claim(
    session: Session,
    worker_id: uuid.UUID,
    versions: Versions,
    lease: timedelta,
    at_most: int = 1,
    front: Front | None = None,
) -> list[Claim]:
    """Take the next runs for a worker, all of one campaign; empty when there is none for it now.

    The session is to be committed, then the runs to be started. front: the worker's own.
    """
    front = front or Front()
    candidates = _candidates(session, versions)
    quotas = _quotas(session, candidates)
    several = len({row.team_id for row in candidates}) > 1
    running = running_by_team(session) if several or quotas else {}
    for one in in_turn(candidates, running):
        room = _room(session, one, quotas, running, at_most)
        for of_clock in versions.clocks if room else ():
            if found := _next_of(session, one, of_clock, worker_id, lease, room, front):
                return found
    return []


def in_turn(campaigns: Iterable[Row[Any]], running: Mapping[uuid.UUID, int]) -> list[Row[Any]]:
    """Campaigns, with their team's `share`, in the order in which their runs are claimed."""

    def turn(row: Row[Any]) -> tuple[float, int, datetime]:
        return running.get(row.team_id, 0) / row.share, -row.priority, row.created_at

    return sorted(campaigns, key=turn)


def _candidates(session: Session, versions: Versions) -> list[Row[Any]]:
    query = with_queued_runs(tuple(versions.clocks))
    if versions.campaign is not None:
        query = query.where(Campaign.id == versions.campaign)
    asked = {"roles": versions.roles, "kernels": list(versions.kernels)}
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
    goes_on = at_most > 0 and session.scalar(STILL_CLAIMABLE, {"of_campaign": campaign.id})
    return at_most if goes_on else 0


def _next_of(
    session: Session,
    campaign: Row[Any],
    of_clock: str,
    worker_id: uuid.UUID,
    lease: timedelta,
    at_most: int,
    front: Front,
) -> list[Claim]:
    asked = {"of_campaign": campaign.id, "of_clock": of_clock, "at_most": at_most}
    for position in dict.fromkeys((front.of(campaign.id, of_clock), 0)):
        while runs := session.execute(QUEUED, {**asked, "from_position": position}).all():
            if taken := _taken(session, campaign, runs, worker_id, lease):
                front.reached(campaign.id, of_clock, taken[0].position)
                return taken
    return []


def _taken(
    session: Session,
    campaign: Row[Any],
    runs: Sequence[Row[Any]],
    worker_id: uuid.UUID,
    lease: timedelta,
) -> list[Claim]:
    """Of some queued runs those that are the worker's now; ends those whose key has a result."""
    to_run: dict[str, Row[Any]] = {}
    for run in _fresh(runs) or runs[:1]:
        if run.outcome is not None and not (run.replaces or run.certifies):
            end_runs(session, Run.id == run.id, table.SHARE, run.told, run.outcome, run.made)
        else:
            to_run.setdefault(run.key, run)  # a later one of the same key waits for its end
    leased = _lease(session, worker_id, lease, to_run)
    if taken := [run for key, run in to_run.items() if key in leased]:
        if campaign.started_at is None:
            session.execute(BEGUN, {"of_campaign": campaign.id})
        start_runs(session, campaign.team_id, campaign.id, {run.id: run.position for run in taken})
    return [_claim(campaign, run) for run in taken]


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
