"""`weir admin`: whoever it makes can sign in and administer."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest
from weir_orchestrator.cli import main
from weir_testing.platform import Platform, email_of

API = "/api/v1"
PHRASE = "the very first pass phrase"


@pytest.fixture
def weir(
    platform_settings: tuple[str, dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., int]:
    """`weir(*arguments, typed=...)` on the platform's database; the exit code."""
    _, places = platform_settings
    where = ["--data", str(places["data"])]
    if "database" in places:
        where += ["--database", places["database"]]

    def run(*arguments: str, typed: str = PHRASE) -> int:
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{typed}\n"))
        return main(["admin", *arguments, "--password-stdin", *where])

    return run


def test_the_administrator_it_makes_makes_users(
    weir: Callable[..., int], platform: Platform
) -> None:
    assert weir("create", "Ada@example.org", "--name", "Ada") == 0
    ada = platform.client("nobody")
    given = {"email": "ada@example.org", "password": PHRASE}
    assert ada.post(f"{API}/session", json=given).status_code == 204
    me = ada.get(f"{API}/me").json()
    assert (me["name"], me["is_admin"], me["teams"]) == ("Ada", True, [])
    new = {"email": "bob@example.org", "name": "Bob"}
    assert ada.post(f"{API}/users", json=new).status_code == 201
    actions = [entry["action"] for entry in ada.get(f"{API}/audit").json()["items"]]
    assert actions == ["user.make", "session.begin", "user.make"]


def test_a_forgotten_password_is_replaced(weir: Callable[..., int], platform: Platform) -> None:
    browser = platform.client("read")
    assert weir("password", email_of("read")) == 0
    assert browser.get(f"{API}/me").status_code == 401
    given = {"email": email_of("read"), "password": PHRASE}
    assert browser.post(f"{API}/session", json=given).status_code == 204


def test_bad_input_is_told_without_the_password(
    weir: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert weir("create", email_of("read")) == 2
    assert "has an account already" in capsys.readouterr().err
    assert weir("password", "nobody@example.org") == 2
    assert "EMAIL: nobody@example.org" in capsys.readouterr().err
    assert weir("create", "no address") == 2
    assert weir("create", "new@example.org", typed="tiny-one") == 2
    told = capsys.readouterr()
    assert "password: " in told.err and "tiny-one" not in told.err + told.out


def test_without_schema_it_says_what_to_do(
    tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = str(tmp_path_factory.mktemp("empty"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.StringIO(PHRASE))
        code = main(["admin", "create", "a@example.org", "--password-stdin", "--data", empty])
    assert code == 3
    assert "weir db upgrade" in capsys.readouterr().err
