"""What a team may still ask for."""

from __future__ import annotations

import uuid

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from weir_orchestrator.db import Result, Team, UploadedFile

__all__ = ["refusals", "stored_bytes"]


def stored_bytes(session: Session, team_id: uuid.UUID) -> int:
    """Bytes that a team's results and uploads take."""
    results = select(func.sum(Result.size_bytes)).where(Result.team_id == team_id)
    uploads = select(func.sum(UploadedFile.size_bytes)).where(UploadedFile.team_id == team_id)
    return int(session.scalar(results) or 0) + int(session.scalar(uploads) or 0)


def refusals(session: Session, team: Team, *, runs: int = 0, more_bytes: int = 0) -> list[str]:
    """Why the team's quotas do not allow this; empty when they do."""
    found = []
    if team.max_runs_per_campaign is not None and runs > team.max_runs_per_campaign:
        found.append(
            f"{runs:,} runs; the team's quota is {team.max_runs_per_campaign:,} per campaign. "
            "Remove levels or replicates, or ask an administrator for more"
        )
    if team.max_stored_bytes is not None:
        stored = stored_bytes(session, team.id)
        if stored >= team.max_stored_bytes or stored + more_bytes > team.max_stored_bytes:
            found.append(
                f"{stored + more_bytes:,} bytes stored; the team's quota is "
                f"{team.max_stored_bytes:,}. Delete what is not needed, or ask an administrator "
                "for more"
            )
    return found
