"""Who asks, and what that one may do."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Final

from weir_orchestrator.db.teams import Role
from weir_orchestrator.errors import NotAllowed, NotFound

__all__ = ["ROLES", "Principal", "Role", "holds"]

ROLES: Final[tuple[Role, ...]] = ("read", "submit", "admin")


def holds(role: Role | None, needed: Role) -> bool:
    """Whether a role is enough."""
    return role is not None and ROLES.index(role) >= ROLES.index(needed)


@dataclass(frozen=True)
class Principal:
    """Who asks: a signed-in user, or a token of one team.

    roles: team -> role. is_admin: of the installation; never by token. Administrators of the
    installation manage users, teams and quotas; they see a team's work as its members only.
    """

    user_id: uuid.UUID | None
    token_id: uuid.UUID | None = None
    is_admin: bool = False
    roles: dict[uuid.UUID, Role] = field(default_factory=dict)
    name: str = ""
    address: str | None = None

    def require(self, team_id: uuid.UUID | None, needed: Role, what: str = "team") -> None:
        """Raises NotFound to those outside the team, NotAllowed to those with too small a role."""
        role = self.roles.get(team_id) if team_id is not None else None
        if role is None:
            raise NotFound(f"no such {what}, or it is another team's")
        if not holds(role, needed):
            raise NotAllowed(f"this needs the right to {needed}; yours is {role}")

    def require_admin(self) -> None:
        """Raises NotAllowed to all but administrators of the installation."""
        if not self.is_admin:
            raise NotAllowed("this needs an administrator of the installation")
