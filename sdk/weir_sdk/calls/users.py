"""Users of the installation, for its administrators."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from weir_sdk.call import Call, Json, Page, asked, body, path
from weir_sdk.models import UserOut

__all__ = ["change_user", "list_users", "make_user", "show_user"]


def list_users(limit: int = 500) -> Call[Page[UserOut]]:
    """All users, by address."""
    return Call("GET", "/users", Json(Page[UserOut]), asked(limit=limit))


def make_user(
    email: str, name: str, password: str | None = None, is_admin: bool = False
) -> Call[UserOut]:
    """Make a user; without a password one for single sign-on only. is_admin: of the installation.

    Teams take the user in by `add_member`.
    """
    given = body(email=email, name=name, password=password, is_admin=is_admin)
    return Call("POST", "/users", Json(UserOut), json=given)


def show_user(user: UUID | str) -> Call[UserOut]:
    """A user."""
    return Call("GET", path("users", user), Json(UserOut))


def change_user(user: UUID | str, **changes: Any) -> Call[UserOut]:
    """Change name, password, is_admin or disabled.

    A new password and disabled=True sign the user out everywhere; disabled, tokens rest.
    """
    return Call("PATCH", path("users", user), Json(UserOut), json=changes)
