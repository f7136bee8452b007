"""Signing in, as the API shows and takes it."""

from __future__ import annotations

import uuid
from typing import Annotated, Literal

from pydantic import BaseModel, Field, SecretStr

from weir_orchestrator.api.auth.passwords import LONGEST
from weir_orchestrator.api.request_body import RequestBody
from weir_orchestrator.api.users.schemas import Email, NewPassword
from weir_orchestrator.db.teams import Role

__all__ = ["Me", "MyTeam", "PasswordChange", "SignIn", "WaysIn"]

GivenPassword = Annotated[SecretStr, Field(max_length=LONGEST)]


class SignIn(RequestBody):
    """Who signs in."""

    email: Email
    password: GivenPassword


class PasswordChange(RequestBody):
    """A new password for oneself."""

    password: GivenPassword = Field(description="The one so far.")
    new_password: NewPassword


class WaysIn(BaseModel):
    """How one signs in here. none: not at all; single_sign_on: its name, null where there is
    none."""

    auth: Literal["none", "login"]
    single_sign_on: str | None


class MyTeam(BaseModel):
    """A team of the asker's."""

    slug: str
    name: str
    role: Role


class Me(BaseModel):
    """Who asks. token: its name, where an API token asks; then `teams` holds that token's one."""

    id: uuid.UUID
    email: str
    name: str
    is_admin: bool
    token: str | None
    teams: list[MyTeam]
