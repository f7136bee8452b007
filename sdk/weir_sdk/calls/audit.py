"""Who did what, and who works: for those who run the platform."""

from __future__ import annotations

from weir_sdk.call import Call, Json, Page, asked, path
from weir_sdk.models import AuditEntryOut, WorkerOut

__all__ = ["list_audit", "list_team_audit", "list_workers"]


def list_team_audit(
    team: str, action: str | None = None, limit: int = 500
) -> Call[Page[AuditEntryOut]]:
    """What was done in a team, newest first. action: a noun, or noun.verb as `campaign.cancel`."""
    params = asked(action=action, limit=limit)
    return Call("GET", path("teams", team, "audit"), Json(Page[AuditEntryOut]), params)


def list_audit(action: str | None = None, limit: int = 500) -> Call[Page[AuditEntryOut]]:
    """What was done to users, teams, tokens and the installation, for its administrators."""
    return Call("GET", "/audit", Json(Page[AuditEntryOut]), asked(action=action, limit=limit))


def list_workers() -> Call[list[WorkerOut]]:
    """Workers that have not gone, those longest there first."""
    return Call("GET", "/workers", Json(list[WorkerOut]))
