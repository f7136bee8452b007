"""Teams, their members and quotas."""

from __future__ import annotations

from typing import Any, Literal
from uuid import UUID

from weir_sdk.call import Call, Json, Page, asked, nothing, path
from weir_sdk.models import MemberOut, QuotaOut, TeamOut

__all__ = [
    "Role",
    "add_member",
    "change_member",
    "change_team",
    "list_members",
    "list_teams",
    "make_team",
    "remove_member",
    "show_quota",
    "show_team",
]

Role = Literal["read", "submit", "admin"]


def list_teams(limit: int = 500) -> Call[Page[TeamOut]]:
    """One's teams; for administrators of the installation all."""
    return Call("GET", "/teams", Json(Page[TeamOut]), asked(limit=limit))


def make_team(slug: str, name: str, **quotas: int | None) -> Call[TeamOut]:
    """Make a team; for administrators of the installation.

    quotas: max_running, max_stored_bytes, max_runs_per_campaign; None is no limit.
    """
    return Call("POST", "/teams", Json(TeamOut), json={"slug": slug, "name": name, **quotas})


def show_team(team: str) -> Call[TeamOut]:
    """A team."""
    return Call("GET", path("teams", team), Json(TeamOut))


def change_team(team: str, **changes: Any) -> Call[TeamOut]:
    """Change a team's name, or its quotas as in `make_team`."""
    return Call("PATCH", path("teams", team), Json(TeamOut), json=changes)


def show_quota(team: str) -> Call[QuotaOut]:
    """A team's quotas, and what is used of them."""
    return Call("GET", path("teams", team, "quota"), Json(QuotaOut))


def list_members(team: str, limit: int = 500) -> Call[Page[MemberOut]]:
    """A team's members, by address."""
    return Call("GET", path("teams", team, "members"), Json(Page[MemberOut]), asked(limit=limit))


def add_member(team: str, email: str, role: Role) -> Call[MemberOut]:
    """Take the user of that address into the team."""
    given = {"email": email, "role": role}
    return Call("POST", path("teams", team, "members"), Json(MemberOut), json=given)


def change_member(team: str, user: UUID | str, role: Role) -> Call[MemberOut]:
    """Change a member's role."""
    where = path("teams", team, "members", user)
    return Call("PATCH", where, Json(MemberOut), json={"role": role})


def remove_member(team: str, user: UUID | str) -> Call[None]:
    """Take a member out of the team; tokens that the member made for it rest."""
    return Call("DELETE", path("teams", team, "members", user), nothing)
