"""Making and changing users: for administrators of the installation."""

from __future__ import annotations

import uuid

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from weir_orchestrator.api import audit_log
from weir_orchestrator.api.access import Principal
from weir_orchestrator.api.auth import sessions
from weir_orchestrator.api.auth.passwords import hash_password
from weir_orchestrator.api.users.schemas import NewUser, UserChange
from weir_orchestrator.db import User
from weir_orchestrator.errors import Conflict, NotFound

__all__ = ["by_email", "change", "find", "make"]


def make(session: Session, who: Principal, new: NewUser) -> User:
    """A new user. Raises Conflict where the address has an account."""
    if by_email(session, new.email) is not None:
        raise Conflict(f"{new.email} has an account already")
    user = User(
        email=new.email,
        name=new.name,
        is_admin=new.is_admin,
        password_hash=hash_password(new.password.get_secret_value()) if new.password else None,
    )
    session.add(user)
    session.flush()
    audit_log.log(session, who, "user.make", None, user.id, is_admin=new.is_admin)
    return user


def change(session: Session, who: Principal, user_id: uuid.UUID, asked: UserChange) -> User:
    """Raises NotFound; Conflict where nobody would be left to administer the installation."""
    user = find(session, user_id)
    if asked.name is not None:
        user.name = asked.name
    if asked.password is not None:
        user.password_hash = hash_password(asked.password.get_secret_value())
    if asked.is_admin is not None:
        user.is_admin = asked.is_admin
    if asked.disabled is not None:
        user.disabled = asked.disabled
    session.flush()
    admins = select(func.count()).where(User.is_admin, User.disabled.is_(False))
    if not session.scalar(admins):
        raise Conflict("this is the last administrator of the installation; make another one first")
    if asked.password is not None or asked.disabled:
        sessions.end_all(session, user.id)
    # The new password is no business of the log.
    changed = asked.model_dump(exclude_none=True, exclude={"password"})
    if asked.password is not None:
        changed["password"] = "changed"
    audit_log.log(session, who, "user.change", None, user.id, **changed)
    return user


def find(session: Session, user_id: uuid.UUID) -> User:
    """Raises NotFound."""
    user = session.get(User, user_id)
    if user is None:
        raise NotFound("no such user")
    return user


def by_email(session: Session, email: str) -> User | None:
    """The account of an address, in lower case."""
    return session.scalar(select(User).where(User.email == email))
