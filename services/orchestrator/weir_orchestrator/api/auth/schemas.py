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

    email: Email = Field(description="Case is ignored.")
    password: GivenPassword = Field(description="The user's.")


class PasswordChange(RequestBody):
    """A new password for oneself."""

    password: GivenPassword = Field(description="The one so far.")
    new_password: NewPassword = Field(description="From now on.")


class WaysIn(BaseModel):
    """How one signs in here."""

    auth: Literal["none", "login"] = Field(
        description="none: nobody signs in here; login: everybody does."
    )
    single_sign_on: str | None = Field(
        description="What its button says; null where there is none."
    )


class MyTeam(BaseModel):
    """A team of the asker's."""

    slug: str = Field(description="Its name in addresses.")
    name: str = Field(description="As people read it.")
    role: Role = Field(description="The asker's.")


class Me(BaseModel):
    """Who asks."""

    id: uuid.UUID = Field(description="Of the user.")
    email: str = Field(description="Of the user.")
    name: str = Field(description="As people read it.")
    is_admin: bool = Field(description="Of the installation.")
    token: str | None = Field(description="Name of the API token that asks; null for a person.")
    teams: list[MyTeam] = Field(description="The user's; a token's is one.")
