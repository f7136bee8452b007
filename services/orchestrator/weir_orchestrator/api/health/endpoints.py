"""Whether the platform is alive and ready, and which workers it has."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from sqlalchemy import func, select
from weir_engine.errors import CannotRun

from weir_orchestrator.api.dependencies import AsksAs, SessionOf
from weir_orchestrator.api.problems import documented
from weir_orchestrator.db import Lease, Worker
from weir_orchestrator.errors import NotSignedIn, Unavailable

__all__ = ["router"]

router = APIRouter(tags=["health"])


class Health(BaseModel):
    """The answer where all is well."""

    status: Literal["ok"] = Field(default="ok", description="There is no other.")


class WorkerOut(BaseModel):
    """A process that carries runs out."""

    id: uuid.UUID = Field(description="Of the process.")
    host: str = Field(description="Its machine.")
    jobs: int = Field(description="Runs at a time.")
    running: int = Field(description="Runs that it holds now.")
    state: str = Field(description="Whether it takes runs.")
    clocks: list[str] = Field(description="Of the runs that it takes.")
    problem: str = Field(
        description="Why it takes fewer than it could, or none; empty: nothing is wrong."
    )
    started_at: datetime = Field(description="When it was started.")
    seen_at: datetime = Field(description="When it was heard of last.")


@router.get("/health/live")
async def live() -> Health:
    """The process answers."""
    return Health()


@router.get("/health/ready", responses=documented(Unavailable))
async def ready(request: Request) -> Health:
    """Database (at the right revision) and object store can be used."""
    try:
        await request.app.state.readiness.check()
    except CannotRun as error:
        raise Unavailable(str(error)) from error
    return Health()


@router.get("/workers", responses=documented(NotSignedIn))
def list_workers(session: SessionOf, who: AsksAs) -> list[WorkerOut]:
    """Workers that have not gone, those longest there first."""
    running = (
        select(func.count()).where(Lease.worker_id == Worker.id).correlate(Worker).scalar_subquery()
    )
    rows = session.execute(
        select(Worker, running).where(Worker.state != "gone").order_by(Worker.started_at, Worker.id)
    )
    return [
        WorkerOut(
            id=worker.id,
            host=worker.host,
            jobs=worker.jobs,
            running=number,
            state=worker.state,
            clocks=worker.clocks,
            problem=worker.problem,
            started_at=worker.started_at,
            seen_at=worker.seen_at,
        )
        for worker, number in rows
    ]
