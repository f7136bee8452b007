"""API tokens of a team."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from weir_sdk.call import Call, Json, Page, asked, nothing, path
from weir_sdk.models import MadeToken, TokenOut

__all__ = ["Scope", "list_tokens", "make_token", "revoke_token"]

Scope = Literal["read", "submit", "admin"]


def list_tokens(team: str, limit: int = 500) -> Call[Page[TokenOut]]:
    """One's tokens, for administrators of the team all, newest first."""
    return Call("GET", path("teams", team, "tokens"), Json(Page[TokenOut]), asked(limit=limit))


def make_token(
    team: str, name: str, scope: Scope, expires_in_days: int | None = 90
) -> Call[MadeToken]:
    """Make a token, which only who has signed in by password can; its secret is told this once."""
    given = {"name": name, "scope": scope, "expires_in_days": expires_in_days}
    return Call("POST", path("teams", team, "tokens"), Json(MadeToken), json=given)


def revoke_token(team: str, token: UUID | str) -> Call[None]:
    """Revoke a token, at once and for good."""
    return Call("DELETE", path("teams", team, "tokens", token), nothing)
