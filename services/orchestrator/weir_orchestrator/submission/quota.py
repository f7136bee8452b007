"""What a team may still ask for."""

from __future__ import annotations

import uuid

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from weir_orchestrator.db import Campaign, Result, Team, UploadedFile
from weir_orchestrator.lifecycle import GOING_ON

__all__ = ["open_film_s", "refusals", "stored_bytes"]


def stored_bytes(session: Session, team_id: uuid.UUID) -> int:
    """Bytes that a team's results and uploads take."""
    results = select(func.sum(Result.size_bytes)).where(Result.team_id == team_id)
    uploads = select(func.sum(UploadedFile.size_bytes)).where(UploadedFile.team_id == team_id)
    return int(session.scalar(results) or 0) + int(session.scalar(uploads) or 0)


def open_film_s(session: Session, team_id: uuid.UUID) -> float:
    """Film of a team's campaigns that are not over, what of it is carried out already included."""
    going_on = (Campaign.team_id == team_id, Campaign.state.in_(GOING_ON))
    return float(session.scalar(select(func.sum(Campaign.asked_film_s)).where(*going_on)) or 0)


def refusals(
    session: Session, team: Team, *, runs: int = 0, film_s: float = 0.0, more_bytes: int = 0
) -> list[str]:
    """Why the team's quotas do not allow this; empty when they do."""
    found = []
    if team.max_runs_per_campaign is not None and runs > team.max_runs_per_campaign:
        found.append(
            f"{runs:,} runs; the team's quota is {team.max_runs_per_campaign:,} per campaign. "
            "Remove levels or replicates, or ask an administrator for more"
        )
    if team.max_film_h is not None and film_s:
        wanted_h = (open_film_s(session, team.id) + film_s) / 3600
        if wanted_h > team.max_film_h:
            found.append(
                f"{wanted_h:,.1f} hours of film in campaigns that are not over; the team's quota "
                f"is {team.max_film_h:,}. Wait for some to end, cancel some, or ask an "
                "administrator for more"
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
