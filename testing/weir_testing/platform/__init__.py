"""A whole platform for tests: app, migrated database with people in it, object store.

Roles: nobody; outsider (admin of another team); read, submit, admin (of the team TEAM);
operator (administrator of the installation, member of no team).
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy.orm import Session, sessionmaker
from weir_orchestrator.api.app import make_app
from weir_orchestrator.db import (
    LoginSession,
    Membership,
    Team,
    Token,
    User,
    connect,
    make_sessions,
    schema,
    utc_now,
)
from weir_orchestrator.db.teams import Role
from weir_orchestrator.objects import ObjectStore
from weir_orchestrator.settings import Settings

TEAM: Final = "qoe-lab"
OTHER_TEAM: Final = "elsewhere"
MEMBERS: Final[dict[str, tuple[str, Role]]] = {
    "read": (TEAM, "read"),
    "submit": (TEAM, "submit"),
    "admin": (TEAM, "admin"),
    "outsider": (OTHER_TEAM, "admin"),
}
PEOPLE: Final = (*MEMBERS, "operator")
ROLES: Final = ("nobody", *PEOPLE)
ORIGIN: Final = "http://127.0.0.1:8080"


def id_of(name: str) -> uuid.UUID:
    """The id of a team (by slug) or a person (by role); the same in every test database."""
    return uuid.uuid5(uuid.NAMESPACE_DNS, name)


def email_of(role: str) -> str:
    return f"{role}@example.org"


@dataclass
class Platform:
    """backend: embedded (SQLite, folder) or served (Postgres, MinIO)."""

    backend: str
    settings: Settings
    app: FastAPI
    _entered: TestClient
    _stack: ExitStack = field(repr=False)

    @property
    def sessions(self) -> sessionmaker[Session]:
        """`with platform.sessions.begin() as session:` commits at its end."""
        sessions: sessionmaker[Session] = self.app.state.sessions
        return sessions

    @property
    def objects(self) -> ObjectStore:
        objects: ObjectStore = self.app.state.objects
        return objects

    @property
    def team_id(self) -> uuid.UUID:
        return id_of(TEAM)

    @property
    def other_team_id(self) -> uuid.UUID:
        return id_of(OTHER_TEAM)

    def client(self, role: str) -> TestClient:
        """A browser of that role: signed in by session cookie, or nobody."""
        client = self._client()
        if role != "nobody":
            client.cookies.set("weir_session", _secret("session", role))
        return client

    def token_client(self, role: str) -> TestClient:
        """A program with an API token; role: read, submit, admin or outsider."""
        client = self._client()
        client.headers["Authorization"] = f"Bearer {_secret('token', role)}"
        return client

    def _client(self) -> TestClient:
        client = TestClient(self.app, base_url=ORIGIN, follow_redirects=False)
        # One event loop for all clients: the one that the app started in.
        client.portal = self._entered.portal
        self._stack.callback(client.close)
        return client


@contextmanager
def run_platform(backend: str, settings: Settings) -> Iterator[Platform]:
    """The app on a database that is already there, started; stopped at the end."""
    app = make_app(settings)
    with ExitStack() as stack:
        stack.callback(app.state.engine.dispose)
        entered = stack.enter_context(TestClient(app, base_url=ORIGIN))
        yield Platform(backend, settings, app, entered, stack)


def fill(url: str) -> None:
    """Build the schema by the migrations, and two teams with people, sessions and tokens."""
    engine = connect(url)
    schema.upgrade(engine)
    with make_sessions(engine).begin() as session:
        session.add_all(Team(id=id_of(slug), slug=slug, name=slug) for slug in (TEAM, OTHER_TEAM))
        session.add_all(
            User(id=id_of(role), email=email_of(role), name=role, is_admin=role == "operator")
            for role in PEOPLE
        )
        session.flush()
        for role in PEOPLE:
            session.add(_login_session(role))
        for role, (team, held) in MEMBERS.items():
            session.add(Membership(team_id=id_of(team), user_id=id_of(role), role=held))
            session.add(
                Token(
                    team_id=id_of(team),
                    created_by=id_of(role),
                    name=f"{role}'s program",
                    scope=held,
                    secret_hash=_hash(_secret("token", role)),
                )
            )
    engine.dispose()


def _login_session(role: str) -> LoginSession:
    return LoginSession(
        id=_hash(_secret("session", role)),
        user_id=id_of(role),
        expires_at=utc_now() + timedelta(days=1),
    )


def _secret(kind: str, role: str) -> str:
    return f"{kind}-of-{role}"


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
