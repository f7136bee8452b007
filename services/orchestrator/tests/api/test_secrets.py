"""Secrets are in no log and in no answer but the one that tells them."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from sqlalchemy import make_url
from weir_orchestrator.db import LoginSession, Token, User, Webhook
from weir_testing.platform import TEAM, Platform
from weir_testing.platform.fixtures import SERVED
from weir_testing.platform.world import URL, empower_operator, make_world, operations

API = "/api/v1"
PASSWORD = "a pass phrase that nobody may read"
WRONG = "a wrong one that is nearly as secret"
STREAMS = {"watch_campaign", "watch_team"}


# It has one more: the database's password.
@pytest.mark.parametrize("platform_settings", SERVED, indirect=True)
def test_secrets_stay_secret(
    platform: Platform, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    # Statements; its DEBUG shows rows that were read, and nothing here turns it on.
    caplog.set_level(logging.INFO, logger="sqlalchemy.engine")
    world = make_world(platform, tmp_path)
    secrets = {PASSWORD, WRONG, *_use_secrets(platform)}
    with platform.sessions() as session:
        secrets |= {token.secret_hash for token in session.query(Token) if token.name != "guest"}
        secrets |= {each.id for each in session.query(LoginSession)}
        secrets |= {user.password_hash for user in session.query(User) if user.password_hash}
        secrets |= {hook.secret for hook in session.query(Webhook) if hook.secret != "whsec_"}
    if platform.backend == "served":
        secrets.add(str(make_url(platform.settings.database_url).password))

    answers = {
        operation.id: platform.client("operator")
        .get(world.url(operation), **world.request(operation))
        .text
        for operation in operations()
        if operation.method == "GET" and operation.id not in STREAMS
    }
    answers["metrics"] = platform.client("nobody").get("/metrics").text
    assert "INSERT INTO token" in caplog.text, "the log is one that tells much"
    for secret in secrets:
        assert [line for line in caplog.messages if secret in line] == []
        assert [name for name, text in answers.items() if secret in text] == []


def _use_secrets(platform: Platform) -> set[str]:
    """Have each kind of secret made and used; those that were told."""
    operator, admin, browser = map(platform.client, ("operator", "admin", "nobody"))
    email = "ada@example.org"
    new = {"email": email, "name": "Ada", "password": PASSWORD}
    assert operator.post(f"{API}/users", json=new).status_code == 201
    empower_operator(platform)
    assert admin.post(f"{API}/teams/{TEAM}/members", json={"email": email, "role": "submit"})
    wrong = browser.post(f"{API}/session", json={"email": email, "password": WRONG})
    assert wrong.status_code == 401
    given = {"email": email, "password": PASSWORD}
    assert browser.post(f"{API}/session", json=given).status_code == 204
    tokens = f"{API}/teams/{TEAM}/tokens"
    told = browser.post(tokens, json={"name": "ci", "scope": "read"}).json()["secret"]
    program = platform.client("nobody")
    program.headers["Authorization"] = f"Bearer {told}"
    assert program.get(f"{API}/me").status_code == 200
    made = admin.post(f"{API}/teams/{TEAM}/webhooks", json={"url": URL}).json()
    changed = admin.post(f"{API}/webhooks/{made['id']}/secret", json={}).json()
    return {told, browser.cookies["weir_session"], made["secret"], changed["secret"]}
