"""Asking the API as a client with a token does, and how long it takes."""

from __future__ import annotations

import statistics
import time
import uuid
from typing import Any, Final

from fastapi.testclient import TestClient
from weir_orchestrator.api.auth.secrets import digest, new_token
from weir_orchestrator.db import Membership, Team, Token, User, make_sessions

__all__ = ["API", "REPEATS", "p95", "people", "times"]

API: Final = "/api/v1"
REPEATS: Final = 15


def people(app: Any) -> tuple[uuid.UUID, str]:
    """A team and a token that may read what it has."""
    token = new_token()
    with make_sessions(app.state.engine).begin() as session:
        team = Team(slug="bench", name="bench")
        user = User(email="bench@example.org", name="bench")
        session.add_all([team, user])
        session.flush()
        session.add(Membership(team_id=team.id, user_id=user.id, role="read"))
        made_by = {"team_id": team.id, "created_by": user.id}
        session.add(Token(**made_by, name="bench", scope="read", secret_hash=digest(token)))
        return team.id, token


def times(
    client: TestClient, url: str, asked: dict[str, Any], repeats: int = REPEATS
) -> list[float]:
    """Milliseconds of each answer."""
    spent = []
    for _ in range(repeats):
        started = time.perf_counter()
        answer = client.get(url, params=asked)
        spent.append((time.perf_counter() - started) * 1000)
        assert answer.status_code == 200, answer.text
    return spent


def p95(spent: list[float]) -> float:
    """Rounded to a tenth."""
    return round(statistics.quantiles(spent, n=20, method="inclusive")[-1], 1)
