"""Teams, their members and quotas."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends
from sqlalchemy import select
from sqlalchemy.orm import joinedload

from weir_orchestrator.api.access import Principal
from weir_orchestrator.api.dependencies import AsksAs, SessionOf, TeamSlug
from weir_orchestrator.api.ids import UserId
from weir_orchestrator.api.paging import Cursor, Limit, Page, page_of
from weir_orchestrator.api.problems import documented
from weir_orchestrator.api.teams import service
from weir_orchestrator.api.teams.schemas import (
    MemberChange,
    MemberOut,
    NewMember,
    NewTeam,
    QuotaOut,
    TeamChange,
    TeamOut,
)
from weir_orchestrator.db import Membership, Team, User
from weir_orchestrator.errors import Conflict, NotAllowed, NotFound, NotSignedIn, Unprocessable

__all__ = ["router"]

router = APIRouter(tags=["teams"])


def _seen(session: SessionOf, who: AsksAs, team: TeamSlug) -> Team:
    return service.find(session, who, team)


def _managed(session: SessionOf, who: AsksAs, team: TeamSlug) -> Team:
    return service.find(session, who, team, "admin")


Seen = Annotated[Team, Depends(_seen)]
"""For members and administrators of the installation."""
Managed = Annotated[Team, Depends(_managed)]
"""For administrators of the team and of the installation."""


@router.get("/teams", responses=documented(NotSignedIn, Unprocessable))
def list_teams(
    session: SessionOf, who: AsksAs, limit: Limit = 100, cursor: Cursor = None
) -> Page[TeamOut]:
    """The asker's teams; all teams for administrators of the installation."""
    query = select(Team).order_by(Team.slug)
    if not who.is_admin:
        query = query.where(Team.id.in_(who.roles))
    rows, following = page_of(session, query, limit, cursor)
    return Page(items=[_shown(team, who) for (team,) in rows], next=following)


@router.post(
    "/teams",
    status_code=201,
    responses=documented(NotSignedIn, NotAllowed, Conflict, Unprocessable),
)
def make_team(new: NewTeam, session: SessionOf, who: AsksAs) -> TeamOut:
    """Make a team; for administrators of the installation."""
    who.require_admin()
    return _shown(service.make(session, who, new), who)


@router.get("/teams/{team}", responses=documented(NotSignedIn, NotFound, Unprocessable))
def show_team(team: Seen, who: AsksAs) -> TeamOut:
    """A team."""
    return _shown(team, who)


@router.patch(
    "/teams/{team}", responses=documented(NotSignedIn, NotAllowed, NotFound, Unprocessable)
)
def change_team(asked: TeamChange, team: Managed, session: SessionOf, who: AsksAs) -> TeamOut:
    """Change a team's name or quotas."""
    return _shown(service.change(session, who, team, asked), who)


@router.get("/teams/{team}/quota", responses=documented(NotSignedIn, NotFound, Unprocessable))
def show_quota(team: Seen, session: SessionOf) -> QuotaOut:
    """A team's quotas and what it uses of them."""
    return service.quota(session, team)


@router.get("/teams/{team}/members", responses=documented(NotSignedIn, NotFound, Unprocessable))
def list_members(
    team: Seen, session: SessionOf, limit: Limit = 100, cursor: Cursor = None
) -> Page[MemberOut]:
    """A team's members, by address."""
    query = (
        select(Membership)
        .join(User, User.id == Membership.user_id)
        .options(joinedload(Membership.user))
        .where(Membership.team_id == team.id)
        .order_by(User.email)
    )
    rows, following = page_of(session, query, limit, cursor)
    return Page(items=[_member(membership) for (membership,) in rows], next=following)


@router.post(
    "/teams/{team}/members",
    status_code=201,
    responses=documented(NotSignedIn, NotAllowed, NotFound, Conflict, Unprocessable),
)
def add_member(new: NewMember, team: Managed, session: SessionOf, who: AsksAs) -> MemberOut:
    """Take a user into the team."""
    return _member(service.add_member(session, who, team, new))


@router.patch(
    "/teams/{team}/members/{user}",
    responses=documented(NotSignedIn, NotAllowed, NotFound, Unprocessable),
)
def change_member(
    asked: MemberChange, team: Managed, user: UserId, session: SessionOf, who: AsksAs
) -> MemberOut:
    """Change a member's role."""
    return _member(service.change_member(session, who, team, user, asked.role))


@router.delete(
    "/teams/{team}/members/{user}",
    status_code=204,
    responses=documented(NotSignedIn, NotAllowed, NotFound, Unprocessable),
)
def remove_member(team: Managed, user: UserId, session: SessionOf, who: AsksAs) -> None:
    """Take a member out of the team; tokens that the member made for it rest."""
    service.remove_member(session, who, team, user)


def _shown(team: Team, who: Principal) -> TeamOut:
    return TeamOut(
        id=team.id,
        slug=team.slug,
        name=team.name,
        role=who.roles.get(team.id),
        created_at=team.created_at,
    )


def _member(membership: Membership) -> MemberOut:
    return MemberOut(
        user_id=membership.user_id,
        email=membership.user.email,
        name=membership.user.name,
        role=membership.role,
    )
