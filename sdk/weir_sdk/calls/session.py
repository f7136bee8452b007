"""Signing in, and who one is."""

from __future__ import annotations

from weir_sdk.call import Call, Json, nothing
from weir_sdk.models import Me, WaysIn

__all__ = ["change_my_password", "show_me", "sign_in", "sign_out", "ways_in"]


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


def change_my_password(password: str, new_password: str) -> Call[None]:
    """Change one's own password, which only who has signed in can; other browsers are signed out.

    password: the one so far.
    """
    given = {"password": password, "new_password": new_password}
    # Sent again it would be refused: the password so far is another one then.
    return Call("PUT", "/me/password", nothing, json=given, once=True)
