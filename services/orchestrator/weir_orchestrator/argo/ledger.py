"""What the database remembers of a campaign's workflows: troubles as events, and ended runs."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from weir_orchestrator.argo.trouble import Trouble
from weir_orchestrator.argo.workflow import Workflow
from weir_orchestrator.db import Campaign, Event, Lease, Run, Worker
from weir_orchestrator.db.dialect import now
from weir_orchestrator.events import emit
from weir_orchestrator.lifecycle import end_runs, table

__all__ = [
    "KIND",
    "Told",
    "end_queued",
    "idle_s",
    "is_built",
    "last_reason",
    "last_start",
    "states",
    "tell",
    "told",
]

KIND = "campaign.trouble"


@dataclass(frozen=True)
class Told:
    """Troubles of a campaign that were told before.

    seen: (workflow's uid, pod, kind) of each. number: the highest of these workflows.
    jobs: of pods whose memory ran out, the fewest.
    in_a_row: workflows that failed since a run of the campaign last ended or was queued again.
    """

    seen: Collection[tuple[str, str, str]]
    number: int
    jobs: int | None
    in_a_row: int


def states(session: Session, campaigns: Collection[uuid.UUID]) -> dict[uuid.UUID, str]:
    """Of campaigns that are there."""
    query = select(Campaign.id, Campaign.state).where(Campaign.id.in_(campaigns))
    return dict(session.execute(query).all())


def told(session: Session, campaign_id: uuid.UUID) -> Told:
    """What was told of a campaign."""
    here = select(Event.data, Event.at).where(Event.campaign_id == campaign_id, Event.kind == KIND)
    rows = session.execute(here.order_by(Event.id)).all()
    of_runs = select(func.max(Run.ended_at), func.max(Run.queued_at))
    moved = max(filter(None, session.execute(of_runs.where(Run.campaign_id == campaign_id)).one()))
    of_runs_pods = [data for data, _ in rows if not data.get("builds")]
    jobs = [data["jobs"] for data in of_runs_pods if data["trouble"] == "memory"]
    since = {data["uid"] for data, at in rows if not data["waits"] and at > moved}
    return Told(
        seen={(data["uid"], data["pod"], data["trouble"]) for data, _ in rows},
        number=max((data.get("number", 0) for data, _ in rows), default=0),
        jobs=min(jobs, default=None),
        in_a_row=len(since),
    )


def tell(session: Session, workflow: Workflow, trouble: Trouble) -> None:
    """Let who watches the campaign know."""
    team_id = session.scalars(
        select(Campaign.team_id).where(Campaign.id == workflow.campaign)
    ).one()
    data = {
        "trouble": trouble.kind,
        "reason": trouble.reason,
        "workflow": workflow.name,
        "uid": workflow.uid,
        "number": workflow.number,
        "pod": trouble.pod,
        "jobs": workflow.jobs,
        "builds": workflow.builds,
        "waits": trouble.waits,
    }
    emit(session, team_id, workflow.campaign, KIND, data)


def end_queued(session: Session, campaign_id: uuid.UUID, clock: str, reason: str) -> set[uuid.UUID]:
    """Fail the runs that nothing can be done for; the campaigns to settle after that."""
    here = (Run.campaign_id == campaign_id) & (Run.clock == clock)
    return end_runs(session, here, table.STRAND, reason)


def idle_s(session: Session, campaign_id: uuid.UUID) -> float | None:
    """For how long no worker has held a run of a campaign; None while one does."""
    mine = Run.campaign_id == campaign_id
    held = select(Lease.key).join(Run, Run.id == Lease.run_id).where(mine).limit(1)
    if session.scalars(held).first() is not None:
        return None
    moments = select(func.max(Run.queued_at), func.max(Run.started_at), func.max(Run.ended_at))
    moved = max(filter(None, session.execute(moments.where(mine)).one()))
    return (now(session) - moved).total_seconds()


def is_built(session: Session, kernel_hash: str, within_s: float) -> bool:
    """Whether who builds the kernels of that name has been heard of lately."""
    recently = Worker.seen_at > now(session) - timedelta(seconds=within_s)
    here = select(Worker.building).where(recently, Worker.building.is_not(None))
    found = session.scalars(here.where(Worker.state != "gone"))
    return any(building and building["kernel_hash"] == kernel_hash for building in found)


def last_start(session: Session, campaign_id: uuid.UUID) -> datetime | None:
    """When a run of the campaign was last begun."""
    return session.scalar(select(func.max(Run.started_at)).where(Run.campaign_id == campaign_id))


def last_reason(session: Session, campaign_id: uuid.UUID) -> str:
    """Of the trouble that was told last."""
    here = select(Event.data).where(Event.campaign_id == campaign_id, Event.kind == KIND)
    return str(session.scalars(here.order_by(Event.id.desc()).limit(1)).one()["reason"])
