"""Users, for administrators of the installation."""

from __future__ import annotations

from fastapi import APIRouter
from sqlalchemy import select

from weir_orchestrator.api.dependencies import AsksAs, SessionOf
from weir_orchestrator.api.ids import UserId
from weir_orchestrator.api.paging import Cursor, Limit, Page, page_of
from weir_orchestrator.api.problems import documented
from weir_orchestrator.api.users import service
from weir_orchestrator.api.users.schemas import NewUser, UserChange, UserOut
from weir_orchestrator.db import User
from weir_orchestrator.errors import Conflict, NotAllowed, NotFound, NotSignedIn, Unprocessable

__all__ = ["router"]

router = APIRouter(tags=["users"])


@router.get("/users", responses=documented(NotSignedIn, NotAllowed, Unprocessable))
def list_users(
    session: SessionOf, who: AsksAs, limit: Limit = 100, cursor: Cursor = None
) -> Page[UserOut]:
    """All users, by address."""
    who.require_admin()
    query = select(User).order_by(User.email, User.id)
    rows, following = page_of(session, query, limit, cursor)
    return Page(items=[_shown(user) for (user,) in rows], next=following)


@router.post(
    "/users",
    status_code=201,
    responses=documented(NotSignedIn, NotAllowed, Conflict, Unprocessable),
)
def make_user(new: NewUser, session: SessionOf, who: AsksAs) -> UserOut:
    """Make a user. Membership of teams comes by the teams."""
    who.require_admin()
    return _shown(service.make(session, who, new))


@router.get("/users/{user}", responses=documented(NotSignedIn, NotAllowed, NotFound, Unprocessable))
def show_user(user: UserId, session: SessionOf, who: AsksAs) -> UserOut:
    """A user."""
    who.require_admin()
    return _shown(service.find(session, user))


@router.patch(
    "/users/{user}",
    responses=documented(NotSignedIn, NotAllowed, NotFound, Conflict, Unprocessable),
)
def change_user(asked: UserChange, user: UserId, session: SessionOf, who: AsksAs) -> UserOut:
    """Change a user. A new password or disabling signs the user out everywhere."""
    who.require_admin()
    return _shown(service.change(session, who, user, asked))


def _shown(user: User) -> UserOut:
    return UserOut(
        id=user.id,
        email=user.email,
        name=user.name,
        is_admin=user.is_admin,
        disabled=user.disabled,
        has_password=user.password_hash is not None,
        single_sign_on=user.oidc_subject is not None,
        created_at=user.created_at,
    )
