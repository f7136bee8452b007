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
    """A user to make. Without a password the user signs in by single sign-on only."""

    email: Email
    name: Label = Field(examples=["Ada"])
    password: NewPassword | None = None
    is_admin: Switch = Field(default=False, description="Of the installation.")


class UserChange(RequestBody):
    """What to change; what is left out stays."""

    name: Label | None = None
    password: NewPassword | None = None
    is_admin: Switch | None = None
    disabled: Switch | None = Field(default=None, description="True: may not sign in; tokens rest.")


class UserOut(BaseModel):
    """A user."""

    id: uuid.UUID
    email: str
    name: str
    is_admin: bool
    disabled: bool
    has_password: bool
    single_sign_on: bool
    created_at: datetime
