"""Users as the API shows and takes them."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field, SecretStr

from weir_orchestrator.api.auth.passwords import LONGEST, SHORTEST
from weir_orchestrator.api.request_body import RequestBody, Switch

__all__ = ["Email", "Label", "NewPassword", "NewUser", "UserChange", "UserOut"]

Email = Annotated[
    str,
    Field(
        max_length=320,
        # Case is ignored and all is plain: an address that mail would reach is not checked here.
        pattern=r"^[^@\s\x00-\x1f\x7f]+@[^@\s\x00-\x1f\x7f]+$",
        examples=["ada@example.org"],
    ),
    AfterValidator(str.lower),
]
Label = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$")]
"""A name that people read: one line."""
NewPassword = Annotated[
    SecretStr,
    Field(min_length=SHORTEST, max_length=LONGEST, examples=["correct horse battery staple"]),
]


class NewUser(RequestBody):
    """A user to make."""

    email: Email = Field(description="By which they sign in; case is ignored.")
    name: Label = Field(examples=["Ada"], description="As people read it.")
    password: NewPassword | None = Field(default=None, description="Null: by single sign-on only.")
    is_admin: Switch = Field(default=False, description="Of the installation.")


class UserChange(RequestBody):
    """What to change; what is left out stays."""

    name: Label | None = Field(default=None, description="As people read it.")
    password: NewPassword | None = Field(
        default=None, description="Replaces the one so far, and ends the user's sessions."
    )
    is_admin: Switch | None = Field(default=None, description="Of the installation.")
    disabled: Switch | None = Field(default=None, description="True: may not sign in; tokens rest.")


class UserOut(BaseModel):
    """A user."""

    id: uuid.UUID = Field(description="Of the user.")
    email: str = Field(description="By which they sign in.")
    name: str = Field(description="As people read it.")
    is_admin: bool = Field(description="Of the installation.")
    disabled: bool = Field(description="May not sign in; their tokens rest.")
    has_password: bool = Field(description="Whether they can sign in by one.")
    single_sign_on: bool = Field(description="Whether the provider knows them.")
    created_at: datetime = Field(description="When the user was made.")
