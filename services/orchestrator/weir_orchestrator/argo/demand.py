"""What has to be carried out: campaigns with runs that a worker could claim now."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Row, Text, case, cast, func, select
from sqlalchemy.orm import Session
from weir.resolved import CHROMIUM

from weir_orchestrator.db import IS_QUEUED, Campaign, Combination, Lease, Run, Team, any_queued
from weir_orchestrator.submission.estimate import expected_wall_s
from weir_orchestrator.work.claim import CLOCKS, Versions, in_turn, running_by_team

__all__ = ["Demand", "demands"]

_COUNTED: Final = 200_000
_LOOKED_AT: Final = 50


@dataclass(frozen=True)
class Demand:
    """Runs of one campaign and clock that can be claimed, as far as they were counted.

    most: how many may run at once, by the team's quota; None: any number. clients: the most
    that one of the runs on the real clock has; chromium: whether there are some in Chromium.
    run_s: expected wall time of a run on one core.
    """

    campaign: uuid.UUID
    clock: str
    runs: int
    most: int | None
    clients: int
    chromium: bool
    run_s: float


def demands(session: Session, versions: Versions) -> list[Demand]:
    """In the order in which workers would claim: see weir_orchestrator.work.claim."""
    running = running_by_team(session)
    found = []
    for row in in_turn(_campaigns(session, versions), running):
        most = None
        if row.max_running is not None:
            most = row.max_running - running.get(row.team_id, 0)
            if most <= 0:
                continue
        for clock in CLOCKS:
            if runs := _claimable(session, row.id, clock):
                clients, chromium = _hosts(session, row.id) if clock == "real" else (0, False)
                run_s = _run_s(session, row.id)
                found.append(Demand(row.id, clock, runs, most, clients, chromium, run_s))
    return found


def _campaigns(session: Session, versions: Versions) -> list[Row[Any]]:
    query = (
        select(
            Campaign.id,
            Campaign.team_id,
            Campaign.priority,
            Campaign.created_at,
            Team.max_running,
            Team.share,
        )
        .join(Team, Team.id == Campaign.team_id)
        .where(
            Campaign.state == "active",
            Campaign.roles_hash == versions.roles,
            Campaign.kernel_hash.in_(versions.kernels),
            any_queued(),
        )
    )
    return list(session.execute(query))


def _claimable(session: Session, campaign_id: uuid.UUID, clock: str) -> int:
    leased = select(Lease.key).where(Lease.key == Run.key)
    some = (
        select(Run.id)
        .where(Run.campaign_id == campaign_id, Run.clock == clock, IS_QUEUED)
        .where(~leased.exists())
        .limit(_COUNTED)
    )
    return session.scalars(select(func.count()).select_from(some.subquery())).one()


def _hosts(session: Session, campaign_id: uuid.UUID) -> tuple[int, bool]:
    """Of a live cell: for how many clients, and whether some of them are Chromium."""
    queued = select(Run.id).where(
        Run.campaign_id == campaign_id,
        Run.combination == Combination.number,
        Run.clock == "real",
        IS_QUEUED,
    )
    clients = Combination.experiment["clients"]
    # As text: databases have no way of looking into JSON that they share.
    named = case((cast(clients, Text).contains(f'"{CHROMIUM}"'), 1), else_=0)
    most = select(func.max(func.json_array_length(clients)), func.max(named))
    found = session.execute(
        most.where(Combination.campaign_id == campaign_id, queued.exists())
    ).one()
    return int(found[0] or 1), bool(found[1])


def _run_s(session: Session, campaign_id: uuid.UUID) -> float:
    some = select(Combination.experiment).where(Combination.campaign_id == campaign_id)
    return expected_wall_s(session, session.scalars(some.limit(_LOOKED_AT)).all())
