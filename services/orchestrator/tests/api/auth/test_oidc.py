"""Signing in by a real OpenID Connect provider."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient
from pydantic import SecretStr
from weir_orchestrator.db import User
from weir_orchestrator.settings import Oidc
from weir_testing.oidc import CLIENT_ID, CLIENT_SECRET, Provider, run
from weir_testing.platform import ORIGIN, Platform, email_of, id_of

LOGIN = "/api/v1/oidc/login"
CALLBACK = f"{ORIGIN}/api/v1/oidc/callback"


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with run(CALLBACK) as running:
        yield running


@pytest.fixture
def platform_of(
    platform_with: Callable[..., Platform], provider: Provider
) -> Callable[..., Platform]:
    def make(**changes: Any) -> Platform:
        secret = SecretStr(CLIENT_SECRET)
        oidc = Oidc(issuer=provider.issuer, client_id=CLIENT_ID, client_secret=secret, **changes)
        return platform_with(oidc=oidc)

    return make


def sign_in(client: TestClient, provider: Provider, name: str, after: str = "/") -> Any:
    sent = client.get(LOGIN, params={"next": after})
    assert sent.status_code == 302, sent.text
    return client.get(provider.sign_in(sent.headers["location"], name, CALLBACK))


def test_a_user_signs_in_and_is_known_the_second_time(
    platform_of: Callable[..., Platform], provider: Provider
) -> None:
    platform = platform_of()
    assert platform.client("nobody").get("/api/v1/session").json() == {
        "auth": "login",
        "single_sign_on": "single sign-on",
    }
    for _ in range(2):
        browser = platform.client("nobody")
        back = sign_in(browser, provider, "submit", after="/campaigns?state=active")
        assert (back.status_code, back.headers["location"]) == (302, "/campaigns?state=active")
        me = browser.get("/api/v1/me").json()
        assert (me["email"], me["teams"][0]["role"]) == (email_of("submit"), "submit")
    with platform.sessions() as session:
        user = session.get_one(User, id_of("submit"))
        assert (user.oidc_issuer, user.oidc_subject) == (provider.issuer, "submit")


def test_strangers_come_in_only_where_settings_say_so(
    platform_of: Callable[..., Platform], provider: Provider
) -> None:
    refused = sign_in(platform_of().client("nobody"), provider, "stranger")
    assert refused.status_code == 401
    assert "stranger@example.org has no account here" in refused.json()["detail"]

    browser = platform_of(new_users=True).client("nobody")
    assert sign_in(browser, provider, "stranger").status_code == 302
    me = browser.get("/api/v1/me").json()
    assert (me["name"], me["is_admin"], me["teams"]) == ("stranger of the provider", False, [])


def test_an_unverified_address_joins_no_account(
    platform_of: Callable[..., Platform], provider: Provider
) -> None:
    platform = platform_of(new_users=True)
    with platform.sessions.begin() as session:
        session.add(User(email="unverified@example.org", name="Somebody else", is_admin=True))
    refused = sign_in(platform.client("nobody"), provider, "unverified")
    assert (refused.status_code, refused.json()["status"]) == (401, 401)


def test_an_account_joined_to_one_person_is_not_given_to_another(
    platform_of: Callable[..., Platform], provider: Provider
) -> None:
    platform = platform_of()
    with platform.sessions.begin() as session:
        session.get_one(User, id_of("read")).oidc_subject = "before"
        session.get_one(User, id_of("read")).oidc_issuer = provider.issuer
        session.get_one(User, id_of("submit")).disabled = True
    assert sign_in(platform.client("nobody"), provider, "read").status_code == 401
    assert sign_in(platform.client("nobody"), provider, "submit").status_code == 401


def test_a_callback_without_its_beginning_is_refused(
    platform_of: Callable[..., Platform], provider: Provider
) -> None:
    platform = platform_of()
    victim, attacker = platform.client("nobody"), platform.client("nobody")
    begun = attacker.get(LOGIN).headers["location"]
    callback = provider.sign_in(begun, "submit", CALLBACK)
    assert victim.get(callback).status_code == 401, "another browser's code"
    state = parse_qs(urlsplit(callback).query)["state"][0]
    forged = attacker.get("/api/v1/oidc/callback", params={"code": "made-up", "state": state})
    assert forged.status_code == 401
    assert attacker.get(callback).status_code == 401, "a state is good once"
    assert attacker.get("/api/v1/oidc/callback").status_code == 401
    denied = {"error": "access_denied", "error_description": "no"}
    assert attacker.get("/api/v1/oidc/callback", params=denied).status_code == 401


@pytest.mark.parametrize("page", ["//evil.example", "https://evil.example", "/\\evil.example", ""])
def test_nobody_is_sent_on_to_another_site(platform_of: Callable[..., Platform], page: str) -> None:
    answer = platform_of().client("nobody").get(LOGIN, params={"next": page})
    assert answer.status_code == 422


def test_a_provider_that_is_away_is_told_as_such(platform_with: Callable[..., Platform]) -> None:
    gone = Oidc(issuer="http://127.0.0.1:9", client_id=CLIENT_ID)
    client = platform_with(oidc=gone).client("nobody")
    assert client.get(LOGIN).status_code == 503
    assert platform_with().client("nobody").get(LOGIN).status_code == 404


def test_settings_refuse_half_a_provider() -> None:
    with pytest.raises(ValueError, match="allowed: an https:// address"):
        Oidc(issuer="http://login.example.org", client_id="weir")
    with pytest.raises(ValueError, match="client_id: missing"):
        Oidc(issuer="https://login.example.org")
