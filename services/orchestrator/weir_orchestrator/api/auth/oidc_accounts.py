"""From a provider's claims about a person to the account here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError
from sqlalchemy import select
from sqlalchemy.orm import Session

from weir_orchestrator.api import audit_log
from weir_orchestrator.api.access import Principal
from weir_orchestrator.api.users.schemas import Email
from weir_orchestrator.db import User
from weir_orchestrator.errors import SignInRefused
from weir_orchestrator.settings import Oidc

__all__ = ["user_of"]


class _Claims(BaseModel):
    """What is used of an ID token (OIDC Core 2 and 5.1)."""

    sub: str
    email: str | None = None
    email_verified: bool = False
    name: str | None = None


def user_of(session: Session, oidc: Oidc, claims: Mapping[str, Any], address: str | None) -> User:
    """The account of the person, joined or made where that is allowed. Raises SignInRefused."""
    try:
        person = _Claims.model_validate(dict(claims))
    except ValidationError as error:
        raise SignInRefused("the provider's answer is not good: begin to sign in again") from error
    known = select(User).where(User.oidc_issuer == oidc.issuer, User.oidc_subject == person.sub)
    user = session.scalar(known) or _by_address(session, oidc, person)
    if user.disabled:
        raise SignInRefused("this account is disabled")
    who = Principal(user_id=user.id, address=address)
    audit_log.log(session, who, "session.begin", None, by="single sign-on")
    return user


def _by_address(session: Session, oidc: Oidc, person: _Claims) -> User:
    if person.email is None or not person.email_verified:
        raise SignInRefused("the provider vouches for no address of yours; have it verified there")
    try:
        email = TypeAdapter(Email).validate_python(person.email)
    except ValidationError as error:
        raise SignInRefused("the provider's address of yours cannot be used here") from error
    user = session.scalar(select(User).where(User.email == email))
    if user is None:
        if not oidc.new_users:
            raise SignInRefused(f"{email} has no account here; ask an administrator to make one")
        name = "".join(filter(str.isprintable, person.name or ""))[:200]
        user = User(email=email, name=name or email[:200])
        session.add(user)
    elif user.oidc_subject is not None:
        raise SignInRefused(f"the account of {email} belongs to another person of the provider")
    user.oidc_issuer, user.oidc_subject = oidc.issuer, person.sub
    session.flush()
    audit_log.log(session, Principal(user_id=user.id), "user.join", None, user.id)
    return user
