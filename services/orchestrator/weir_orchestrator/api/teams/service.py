"""Teams, their members and quotas."""

from __future__ import annotations

import uuid

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload

from weir_orchestrator.api import audit_log
from weir_orchestrator.api.access import Principal, Role
from weir_orchestrator.api.teams.schemas import NewMember, NewTeam, QuotaOut, TeamChange
from weir_orchestrator.api.users import service as users
from weir_orchestrator.db import Membership, Team
from weir_orchestrator.errors import Conflict, FieldProblem, NotAllowed, NotFound, Unprocessable
from weir_orchestrator.submission.quota import open_film_s, stored_bytes
from weir_orchestrator.work.claim import running_by_team

__all__ = ["add_member", "change", "change_member", "find", "make", "quota", "remove_member"]

_QUOTAS = frozenset(
    {"max_running", "max_stored_bytes", "max_runs_per_campaign", "max_film_h", "share"}
)


def find(session: Session, who: Principal, slug: str, needed: Role = "read") -> Team:
    """A team to manage: for those with that role, and administrators of the installation.

    Raises NotFound, NotAllowed.
    """
    team = session.scalar(select(Team).where(Team.slug == slug))
    if team is None or (not who.is_admin and team.id not in who.roles):
        raise NotFound("no such team, or it is another team's")
    if not who.is_admin:
        who.require(team.id, needed)
    return team


def make(session: Session, who: Principal, new: NewTeam) -> Team:
    """A new team, without members. Raises Conflict where the slug is taken."""
    if session.scalar(select(Team.id).where(Team.slug == new.slug)) is not None:
        raise Conflict(f"there is a team {new.slug} already")
    team = Team(**new.model_dump())
    session.add(team)
    session.flush()
    audit_log.log(session, who, "team.make", team.id, team.id, **new.model_dump())
    return team


def change(session: Session, who: Principal, team: Team, asked: TeamChange) -> Team:
    """Raises NotAllowed where somebody else than the installation's administrators sets quotas."""
    changed = asked.model_dump(exclude_unset=True)
    if not _QUOTAS.isdisjoint(changed) and not who.is_admin:
        raise NotAllowed("quotas are set by administrators of the installation")
    for always in ("name", "share"):
        if changed.get(always, ...) is None:
            del changed[always]
    for field, value in changed.items():
        setattr(team, field, value)
    audit_log.log(session, who, "team.change", team.id, team.id, **changed)
    return team


def quota(session: Session, team: Team) -> QuotaOut:
    """What the team may use, and uses now."""
    return QuotaOut(
        max_running=team.max_running,
        running=running_by_team(session, team.id).get(team.id, 0),
        max_stored_bytes=team.max_stored_bytes,
        stored_bytes=stored_bytes(session, team.id),
        max_runs_per_campaign=team.max_runs_per_campaign,
        max_film_h=team.max_film_h,
        open_film_h=open_film_s(session, team.id) / 3600,
        share=team.share,
    )


def add_member(session: Session, who: Principal, team: Team, new: NewMember) -> Membership:
    """Raises Unprocessable for an address without account, Conflict for a member."""
    user = users.by_email(session, new.email)
    if user is None:
        problem = FieldProblem(
            path="email",
            value=new.email,
            allowed="the address of a user",
            remedy="have an administrator of the installation make the user",
        )
        raise Unprocessable("1 problem", [problem])
    if session.get(Membership, (team.id, user.id)) is not None:
        raise Conflict(f"{new.email} is a member already")
    membership = Membership(team_id=team.id, user_id=user.id, role=new.role)
    membership.user = user
    session.add(membership)
    audit_log.log(session, who, "member.add", team.id, user.id, role=new.role)
    return membership


def change_member(
    session: Session, who: Principal, team: Team, user_id: uuid.UUID, role: Role
) -> Membership:
    """Raises NotFound."""
    membership = _membership(session, team, user_id)
    membership.role = role
    audit_log.log(session, who, "member.change", team.id, user_id, role=role)
    return membership


def remove_member(session: Session, who: Principal, team: Team, user_id: uuid.UUID) -> None:
    """Raises NotFound. The member's tokens for this team rest from now on."""
    session.delete(_membership(session, team, user_id))
    audit_log.log(session, who, "member.remove", team.id, user_id)


def _membership(session: Session, team: Team, user_id: uuid.UUID) -> Membership:
    query = select(Membership).options(joinedload(Membership.user))
    found = session.scalar(
        query.where(Membership.team_id == team.id, Membership.user_id == user_id)
    )
    if found is None:
        raise NotFound("no such member")
    return found
