"""Signing in by password: cookie, other sites, changing it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from weir_orchestrator.api.auth.passwords import hash_password
from weir_orchestrator.db import LoginSession, User, utc_now
from weir_testing.platform import ORIGIN, Platform, email_of, id_of

SESSION = "/api/v1/session"
ME = "/api/v1/me"
PASSWORD = "a pass phrase of submit's"
HASH = hash_password(PASSWORD)
GIVEN = {"email": email_of("submit"), "password": PASSWORD}


@pytest.fixture
def with_password(platform: Platform) -> Platform:
    set_password(platform, "submit")
    return platform


def set_password(platform: Platform, role: str) -> None:
    with platform.sessions.begin() as session:
        session.get_one(User, id_of(role)).password_hash = HASH


def test_signing_in_and_out(with_password: Platform) -> None:
    browser = with_password.client("nobody")
    assert browser.get(ME).status_code == 401
    answer = browser.post(SESSION, json={**GIVEN, "email": "Submit@Example.ORG"})
    assert answer.status_code == 204, answer.text
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=lax" in cookie and "secure" not in cookie
    me = browser.get(ME).json()
    assert me["email"] == email_of("submit") and not me["is_admin"] and me["token"] is None
    assert me["teams"] == [{"slug": "qoe-lab", "name": "qoe-lab", "role": "submit"}]
    kept = dict(browser.cookies)
    assert browser.delete(SESSION).status_code == 204
    browser.cookies.update(kept)
    assert browser.get(ME).status_code == 401, "the session itself is over, not only its cookie"


def test_the_cookie_is_secure_where_browsers_come_encrypted(
    platform_with: Callable[..., Platform],
) -> None:
    platform = platform_with(public_url="https://weir.example.org")
    set_password(platform, "submit")
    cookie = platform.client("nobody").post(SESSION, json=GIVEN).headers["set-cookie"]
    assert "; secure" in cookie.lower()


@pytest.mark.parametrize(
    "given",
    [
        {**GIVEN, "password": "another pass phrase"},
        {**GIVEN, "email": "nobody@example.org"},
        {**GIVEN, "email": email_of("read")},  # has no password
    ],
)
def test_wrong_sign_ins_are_told_apart_by_nobody(
    with_password: Platform, given: dict[str, str]
) -> None:
    answer = with_password.client("nobody").post(SESSION, json=given)
    assert answer.status_code == 401
    assert answer.json()["detail"] == "email or password are wrong, or the account is disabled"


def test_sessions_run_out(with_password: Platform) -> None:
    browser = with_password.client("submit")
    assert browser.get(ME).status_code == 200
    with with_password.sessions.begin() as session:
        session.query(LoginSession).update({"expires_at": utc_now() - timedelta(seconds=1)})
    assert browser.get(ME).status_code == 401
    with_password.client("nobody").post(SESSION, json=GIVEN)
    with with_password.sessions() as session:
        mine = session.query(LoginSession).where(LoginSession.user_id == id_of("submit"))
        assert mine.count() == 1, "those that ran out are removed"


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
    ],
)
def test_other_sites_cannot_act_for_a_browser(
    platform_with: Callable[..., Platform], headers: dict[str, str]
) -> None:
    for auth in ("login", "none"):
        browser = platform_with(auth=auth).client("operator")
        new = {"slug": f"evil-{auth}", "name": "Evil"}
        assert browser.post("/api/v1/teams", json=new, headers=headers).status_code == 403
        assert browser.post(SESSION, json=GIVEN, headers=headers).status_code == 403
        assert browser.get(ME, headers=headers).status_code == 200
        assert browser.post("/api/v1/teams", json=new, headers={"Origin": ORIGIN}).is_success
        browser.delete(SESSION)


def test_a_platform_without_login_is_its_administrators(
    platform_with: Callable[..., Platform],
) -> None:
    client = platform_with(auth="none").client("nobody")
    assert client.get(ME).json()["is_admin"]
    assert client.post(SESSION, json=GIVEN).status_code == 409
    rebound = {"Host": "evil.example"}
    assert client.get(ME, headers=rebound).status_code == 400
    bad = {"Authorization": "Bearer weir_made-up"}
    assert client.get(ME, headers=bad).status_code == 401


def test_changing_ones_password_signs_others_out(with_password: Platform) -> None:
    mine, other = with_password.client("nobody"), with_password.client("submit")
    mine.post(SESSION, json=GIVEN)
    change = {"password": "wrong", "new_password": "another pass phrase"}
    assert mine.put(f"{ME}/password", json=change).status_code == 403
    change["password"] = PASSWORD
    assert mine.put(f"{ME}/password", json=change).status_code == 204
    assert (mine.get(ME).status_code, other.get(ME).status_code) == (200, 401)
    fresh = with_password.client("nobody")
    assert fresh.post(SESSION, json=GIVEN).status_code == 401
    assert fresh.post(SESSION, json={**GIVEN, "password": change["new_password"]}).is_success


def test_an_answer_never_repeats_a_password(platform: Platform) -> None:
    operator, secret = platform.client("operator"), "hunter2"
    for path, given in (
        (SESSION, {"email": "no address", "password": secret}),
        (SESSION, {"email": secret, "pasword": secret}),
        ("/api/v1/users", {"email": "a@b", "name": "A", "password": secret}),
        ("/api/v1/users", {"email": "a@b", "name": "A", "passwords": secret}),
    ):
        answer = operator.post(path, json=given)
        assert answer.status_code == 422
        assert answer.json()["problems"]
        assert secret not in answer.text
