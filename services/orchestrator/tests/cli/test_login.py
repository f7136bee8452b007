"""`weir login` and what it keeps, on a platform with login; results out of both stores."""

from __future__ import annotations

import io
import json
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from weir_orchestrator.cli import main
from weir_orchestrator.db import Membership
from weir_testing.platform import OTHER_TEAM, TEAM, Platform, email_of, id_of
from weir_testing.platform.results import make_runs
from weir_testing.platform.results import store as put
from weir_testing.platform.served import served

API = "/api/v1"
PHRASE = "a pass phrase for logging in"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that `weir login` writes, in a configuration folder of the test's own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("WEIR_SERVER", "WEIR_TOKEN", "WEIR_TEAM"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "config/weir/servers.json"


@pytest.fixture
def url(platform_with: Callable[..., Platform], home: Path) -> Iterator[tuple[str, Platform]]:
    platform = platform_with(auth="login")
    with served(platform) as address:
        yield address.removesuffix(API), platform


def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{text}\n"))


def kept(home: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(home.read_text())
    return content


def test_a_password_becomes_a_token_for_each_team(
    url: tuple[str, Platform],
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    address, platform = url
    with platform.sessions.begin() as session:
        session.add(Membership(team_id=id_of(OTHER_TEAM), user_id=id_of("submit"), role="read"))
    operator = platform.client("operator")
    given = {"password": PHRASE}
    assert operator.patch(f"{API}/users/{id_of('submit')}", json=given).status_code == 200
    typed(monkeypatch, PHRASE)
    words = ["login", address, "--email", email_of("submit"), "--password-stdin"]
    assert main(words) == 0

    assert stat.S_IMODE(home.stat().st_mode) == 0o600
    assert stat.S_IMODE(home.parent.stat().st_mode) == 0o700
    assert PHRASE not in home.read_text()
    tokens = kept(home)["servers"][address]["tokens"]
    assert set(tokens) == {TEAM, OTHER_TEAM}
    made = platform.client("admin").get(f"{API}/teams/{TEAM}/tokens").json()["items"]
    assert {(t["name"][:13], t["scope"]) for t in made if t["id"] == tokens[TEAM]["id"]} == {
        ("weir login on", "submit")
    }
    capsys.readouterr()
    assert main(["ls", "--team", OTHER_TEAM, "--json"]) == 0
    assert capsys.readouterr().out.strip() == "[]"

    assert main(["logout"]) == 0
    assert kept(home)["servers"] == {}
    after = platform.client("admin").get(f"{API}/teams/{TEAM}/tokens").json()["items"]
    assert all(t["revoked_at"] for t in after if t["id"] == tokens[TEAM]["id"])


@pytest.mark.parametrize(
    ("words", "text", "told"),
    [
        (["--token", "-"], "weir_unknown", "this API token is unknown or revoked"),
        (["--token", "-", "--team", "elsewhere"], "token-of-read", "--team: elsewhere — allowed"),
        (["--email", "read@example.org", "--password-stdin"], "not-hers", "could not be signed in"),
    ],
)
def test_what_does_not_sign_in_is_not_kept(
    url: tuple[str, Platform],
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    text: str,
    told: str,
) -> None:
    typed(monkeypatch, text)
    assert main(["login", url[0], *words]) == 2
    said = capsys.readouterr().err
    assert told in said
    assert text not in said
    assert not home.exists()


def test_without_a_token_one_is_told_to_sign_in(
    url: tuple[str, Platform], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ls", "--server", url[0], "--team", TEAM]) == 2
    assert "Sign in by `weir login URL`" in capsys.readouterr().err


def test_a_reader_fetches_and_does_not_submit(
    url: tuple[str, Platform],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    campaign_file: Callable[..., Path],
) -> None:
    address, platform = url
    (tmp_path / "made").mkdir()
    made = make_runs(tmp_path / "made")
    number = put(platform, made)
    typed(monkeypatch, "token-of-read")
    assert main(["login", address, "--token", "-"]) == 0
    assert main(["submit", str(campaign_file())]) == 2
    assert "This needs more rights" in capsys.readouterr().err
    store = tmp_path / "fetched"
    assert main(["fetch", str(number), "--store", str(store), "--json"]) == 0
    for key, folder in made.folders.items():
        there = store / "runs" / key[:2] / key
        for path in (each for each in folder.rglob("*") if each.is_file()):
            assert (there / path.relative_to(folder)).read_bytes() == path.read_bytes()
