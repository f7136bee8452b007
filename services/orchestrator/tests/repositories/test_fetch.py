"""Files come from a branch's newest commit, and what is wrong is told by its field."""

from __future__ import annotations

import logging
import os
import subprocess
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from weir.errors import SpecError
from weir_orchestrator.repositories import Source, newest, opened
from weir_orchestrator.repositories.command import Git
from weir_orchestrator.repositories.source import remote_of
from weir_orchestrator.settings import Settings
from weir_testing.git_server import GitServer
from weir_testing.patience import PATIENCE_S

PATH = "abr/player.py"
TOKEN = "glpat-a_token_that_nobody_may_read"


def source(server: GitServer, **changes: str) -> Source:
    return replace(Source(server.url, "main", PATH), **changes)


def refused(given: Source, settings: Settings) -> tuple[str, str]:
    """The field and the whole message."""
    with pytest.raises(SpecError) as error:
        newest(given, settings, "subjects.player.py")
    (problem,) = error.value.problems
    assert TOKEN not in str(error.value)
    return problem.path.removeprefix("subjects.player.py."), str(error.value)


def test_a_file_is_that_of_the_newest_commit(server: GitServer, settings: Settings) -> None:
    first = server.commit({PATH: "one", "large.bin": "x" * 100_000})
    found = newest(source(server), settings, "s")
    assert (found.commit, found.content) == (first, b"one")
    second = server.commit({PATH: "two"})
    assert newest(source(server), settings, "s").commit == second != first


def test_what_is_wrong_is_told_by_its_field(
    server: GitServer, settings: Settings, tmp_path: Path
) -> None:
    server.commit({PATH: "one"})
    field, told = refused(source(server, branch="gone"), settings)
    assert field == "branch"
    assert "branch: gone — allowed: a branch of it" in told
    assert "give one that is there" in told
    field, told = refused(source(server, path="abr/none.py"), settings)
    assert field == "path"
    assert "path: abr/none.py — allowed: a file that is in commit" in told
    assert "none there: give a file's path" in told
    field, told = refused(source(server, path="abr"), settings)
    assert (field, "a folder there" in told) == ("path", True)
    (server.work / "link.py").symlink_to("/etc/passwd")
    server.commit({})
    field, told = refused(source(server, path="link.py"), settings)
    assert (field, "a link there" in told) == ("path", True)
    other = server.url.replace("player.git", "other.git")
    assert refused(source(server, repository=other), settings)[0] == "repository"
    nobody = "https://localhost:1/player.git"
    assert refused(source(server, repository=nobody), settings)[0] == "repository"
    field, told = refused(source(server), settings.model_copy(update={"max_file_bytes": 2}))
    assert (field, "at most 2 bytes" in told) == ("path", True)


def test_submodules_are_neither_asked_for_nor_subjects(
    server: GitServer, settings: Settings
) -> None:
    commit = server.commit({PATH: "one"})
    (server.work / "vendor").mkdir()
    server.git("update-index", "--add", "--cacheinfo", f"160000,{commit},vendor")
    address = server.url.replace("player.git", "other.git")
    server.commit({".gitmodules": f'[submodule "vendor"]\npath = vendor\nurl = {address}\n'})
    assert server.git("ls-tree", "HEAD", "vendor").startswith("160000 commit")
    assert newest(source(server), settings, "s").content == b"one"
    for path in ("vendor", f"vendor/{PATH}"):
        assert refused(source(server, path=path), settings)[0] == "path"
    assert [each for each in server.asked if "player.git" not in each] == []


def test_no_hook_runs(server: GitServer, tmp_path: Path) -> None:
    server.commit({PATH: "one"})
    remote = remote_of(server.url)
    assert remote is not None
    folder, marker = tmp_path / "fetched", tmp_path / "fetched" / "ran"
    folder.mkdir()
    until = time.monotonic() + PATIENCE_S
    git = Git(folder, source(server), remote, "127.0.0.1", until, PATIENCE_S)
    hook = folder / "hooks" / "reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {marker}\n")
    hook.chmod(0o755)
    git("fetch", "--quiet", "origin", "+refs/heads/main:refs/heads/tested")
    assert git("rev-parse", "refs/heads/tested")
    assert not marker.exists()
    # git as it comes runs it.
    subprocess.run(["git", "update-ref", "refs/heads/b", "tested"], cwd=folder, check=True)
    assert marker.exists()


def test_who_is_sent_elsewhere_does_not_go(server: GitServer, settings: Settings) -> None:
    """Only the address that was checked is asked, and nobody else gets the token."""
    server.commit({PATH: "one"})
    server.token = TOKEN
    server.moved_to = server.url.replace("player.git", "other.git")
    assert refused(source(server, token=TOKEN), settings)[0] == "repository"
    assert server.asked
    assert [each for each in server.asked if "player.git" not in each] == []


def test_a_repository_that_needs_a_token_gets_it_and_tells_nobody(
    server: GitServer, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.commit({PATH: "one"})
    server.token = TOKEN
    field, told = refused(source(server), settings)
    assert (field, "needs a token that may read it" in told) == ("secret_token", True)
    field, told = refused(source(server, token="wrong"), settings)
    assert (field, "give one that may read it" in told) == ("secret_token", True)
    given = source(server, token=TOKEN)
    assert newest(given, settings, "s").content == b"one"
    assert TOKEN not in caplog.text + repr(given)


def test_history_is_that_of_the_file_and_a_rewritten_one_is_told(
    server: GitServer, settings: Settings
) -> None:
    commits = [server.commit({PATH: str(number)}) for number in range(3)]
    server.commit({"other.py": "x"})
    last = server.commit({PATH: "3"})
    with opened(source(server), settings, "s") as repository:
        assert repository.between(commits[0], last) == [*commits[1:], last]
        assert repository.file(commits[1]).content == b"1"
        assert repository.between(last, last) == []
    server.git("reset", "--quiet", "--hard", commits[0])
    server.commit({PATH: "anew"})
    with (
        opened(source(server), settings, "s") as repository,
        pytest.raises(SpecError, match="rewritten") as error,
    ):
        repository.between(commits[0], last)
    (problem,) = error.value.problems
    assert (problem.path, problem.value) == ("s.branch", "main")
    assert problem.allowed == f"a branch whose history has commit {last[:12]}"
    assert problem.remedy.endswith("choose nights after that")


def test_what_others_wrote_is_told_plainly(server: GitServer, settings: Settings) -> None:
    said = server.commit({PATH: "one"}, said="\x1b[2Jfaster" + "!" * 5000)
    with opened(source(server), settings, "s") as repository:
        title = repository.title(said)
        assert (title[:11], len(title)) == ("[2Jfaster!!", 300)
        for version in ("--all", "v1.2", "main"):
            with pytest.raises(SpecError, match="nights of commits of main") as error:
                repository.between(version, said)
            (problem,) = error.value.problems
            assert (problem.path, problem.value) == ("s.version", version)


def test_an_address_that_does_not_answer_is_passed_by(
    server: GitServer, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = server.commit({PATH: "one"})
    found = ["127.0.0.2", "127.0.0.1", "127.0.0.3"]
    monkeypatch.setattr("weir_orchestrator.addresses.resolve", lambda *_, **__: found)
    assert newest(source(server), settings, "s").commit == commit


def test_time_is_bounded(server: GitServer, settings: Settings) -> None:
    server.commit({PATH: "one"})
    with pytest.raises(SpecError, match="it took more than"):
        newest(source(server), settings, "s", limit_s=0)


@pytest.mark.long
def test_what_is_fetched_is_bounded(server: GitServer, settings: Settings) -> None:
    with (server.work / "large.bin").open("wb") as file:
        for _ in range(257):
            file.write(os.urandom(2**20))
    server.commit({})
    roomy = settings.model_copy(update={"max_file_bytes": 2**30})
    field, told = refused(source(server, path="large.bin"), roomy)
    assert field == "repository"
    assert "one of at most 256 MiB" in told


def test_only_the_outside_is_asked(server: GitServer, tmp_path: Path) -> None:
    server.commit({PATH: "one"})
    cautious = Settings(data=tmp_path / "data")
    for url in (server.url, "https://169.254.169.254/x.git", "git@10.0.0.7:x.git"):
        given = source(server, repository=url, key="k" if "@" in url else "")
        field, told = refused(given, cautious)
        assert (field, "reached from outside" in told) == ("repository", True)
    assert server.asked == []


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "/etc/passwd",
        "http://git.example.org/x.git",
        "git://git.example.org/x.git",
        "ext::sh -c id",
        "https://ada:secret@git.example.org/x.git",
        "https://git.example.org",
        "https://git.example.org/x.git?ref=1",
        "ssh://-oProxyCommand=id/x.git",
        "-oProxyCommand=id:x",
        "git@-oProxyCommand=id:x",
        "https://git.example.org:99999/x.git",
        "https://git.example.org/a b.git",
    ],
)
def test_what_is_no_address_of_a_repository_is_refused(address: str) -> None:
    assert remote_of(address) is None


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("https://git.example.org/x.git", "https://git.example.org:443/x.git"),
        ("git@git.example.org:team/x.git", "ssh://git@git.example.org:22/team/x.git"),
        ("ssh://ada@git.example.org:2222/x", "ssh://ada@git.example.org:2222/x"),
    ],
)
def test_addresses_are_read_as_git_reads_them(address: str, url: str) -> None:
    remote = remote_of(address)
    assert remote is not None
    assert remote.url == url


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"branch": "--upload-pack=id"}, "branch"),
        ({"branch": "a..b"}, "branch"),
        ({"path": "../../etc/passwd"}, "path"),
        ({"path": "abr/"}, "path"),
        ({"key": "k"}, "secret_key"),
        ({"token": "two words"}, "secret_token"),
        ({"repository": "git@git.example.org:x"}, "secret_key"),
    ],
)
def test_fields_are_checked_before_anybody_is_asked(
    server: GitServer, settings: Settings, changes: dict[str, Any], field: str
) -> None:
    assert refused(source(server, **changes), settings)[0] == field
    assert server.asked == []
