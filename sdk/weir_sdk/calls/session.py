"""Signing in, and one's teams."""

from __future__ import annotations

from weir_sdk.call import Call, Json, Page, asked, nothing, path
from weir_sdk.models import Me, QuotaOut, TeamOut, WaysIn

__all__ = ["list_teams", "show_me", "show_quota", "sign_in", "sign_out", "ways_in"]


def ways_in() -> Call[WaysIn]:
    """How one signs in at this server; needs no token."""
    return Call("GET", "/session", Json(WaysIn))


def sign_in(email: str, password: str) -> Call[None]:
    """Sign in by password: this client then asks as that user, until `sign_out`."""
    return Call("POST", "/session", nothing, json={"email": email, "password": password})


def sign_out() -> Call[None]:
    """End what `sign_in` began."""
    return Call("DELETE", "/session", nothing)


def show_me() -> Call[Me]:
    """Who asks, and in which teams."""
    return Call("GET", "/me", Json(Me))


def list_teams(limit: int = 500) -> Call[Page[TeamOut]]:
    """One's teams."""
    return Call("GET", "/teams", Json(Page[TeamOut]), asked(limit=limit))


def show_quota(team: str) -> Call[QuotaOut]:
    """A team's quotas, and what is used of them."""
    return Call("GET", path("teams", team, "quota"), Json(QuotaOut))
