"""Signing in by password, changing one's password, telling who one is."""

from __future__ import annotations

import uuid

from sqlalchemy import select
from sqlalchemy.orm import Session

from weir_orchestrator.api import audit_log
from weir_orchestrator.api.access import Principal
from weir_orchestrator.api.auth.passwords import hash_password, matches, needs_rehash
from weir_orchestrator.api.auth.schemas import Me, MyTeam
from weir_orchestrator.db import AuditEntry, Team, User
from weir_orchestrator.errors import NotAllowed, NotSignedIn, SignInRefused

__all__ = ["change_password", "has_signed_in_from", "me", "myself", "sign_in"]


def sign_in(session: Session, email: str, password: str, address: str | None) -> User:
    """The user of that password. Raises SignInRefused, without telling what was wrong."""
    user = session.scalar(select(User).where(User.email == email))
    good = matches(password, user.password_hash if user else None)
    who = Principal(user_id=user.id if user else None, address=address)
    if user is None or not good or user.disabled:
        audit_log.log(session, who, "session.refuse", None)
        # Kept, although the answer is an error.
        session.commit()
        raise SignInRefused("email or password are wrong, or the account is disabled")
    assert user.password_hash is not None
    if needs_rehash(user.password_hash):
        user.password_hash = hash_password(password)
    audit_log.log(session, who, "session.begin", None)
    return user


def has_signed_in_from(session: Session, email: str, address: str | None) -> bool:
    """Whether the account was signed in to from this address, as far as the audit log goes."""
    query = (
        select(AuditEntry.id)
        .join(User, User.id == AuditEntry.user_id)
        .where(User.email == email, AuditEntry.address == address)
        .where(AuditEntry.action == "session.begin")
    )
    return session.scalar(query.limit(1)) is not None


def change_password(session: Session, who: Principal, password: str, new_password: str) -> None:
    """Raises NotAllowed for tokens, and where the password so far is another one."""
    user = myself(session, who)
    if not matches(password, user.password_hash):
        raise NotAllowed("the password so far is another one")
    user.password_hash = hash_password(new_password)
    audit_log.log(session, who, "user.password", None, user.id)


def myself(session: Session, who: Principal) -> User:
    """The signed-in person. Raises NotAllowed for API tokens."""
    if who.token_id is not None:
        raise NotAllowed("an API token cannot do this: sign in")
    return _user(session, who.user_id)


def me(session: Session, who: Principal) -> Me:
    """Who asks, with teams by name."""
    user = _user(session, who.user_id)
    teams = session.scalars(select(Team).where(Team.id.in_(who.roles)).order_by(Team.name))
    return Me(
        id=user.id,
        email=user.email,
        name=user.name,
        is_admin=who.is_admin,
        token=who.name if who.token_id is not None else None,
        teams=[MyTeam(slug=t.slug, name=t.name, role=who.roles[t.id]) for t in teams],
    )


def _user(session: Session, user_id: uuid.UUID | None) -> User:
    user = session.get(User, user_id) if user_id is not None else None
    if user is None:
        raise NotSignedIn("this account is gone")
    return user
