"""The web UI's files as they are served."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from weir_orchestrator.api import problems, web


@pytest.fixture
def dist(tmp_path: Path) -> Path:
    (tmp_path / "assets").mkdir()
    script = b"x" * 5000
    (tmp_path / "assets" / "index-abc.js").write_bytes(script)
    (tmp_path / "assets" / "index-abc.js.gz").write_bytes(gzip.compress(script))
    (tmp_path / "favicon.svg").write_text("<svg/>")
    (tmp_path / ".hidden").write_text("secret")
    (tmp_path / "index.html").write_text('<script nonce="WEIR_CSP_NONCE"></script>')
    (tmp_path.parent / "outside.txt").write_text("secret")
    return tmp_path


def _client(dist: Path) -> TestClient:
    app = FastAPI()
    problems.install(app)
    web.install(app, dist)
    return TestClient(app)


@pytest.mark.parametrize("path", ["/", "/teams/local/campaigns", "/sign-in?after=%2F"])
def test_every_page_is_the_one_document(dist: Path, path: str) -> None:
    answer = _client(dist).get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "no-store"


def test_each_answer_has_its_own_nonce_and_only_that_runs(dist: Path) -> None:
    client = _client(dist)
    found = set()
    for _ in range(2):
        answer = client.get("/")
        match = re.search(r'nonce="([^"]+)"', answer.text)
        assert match is not None
        policy = answer.headers["content-security-policy"]
        assert f"script-src 'self' 'nonce-{match[1]}'" in policy
        assert "default-src 'none'" in policy
        found.add(match[1])
    assert len(found) == 2


@pytest.mark.parametrize("accepted", ["gzip", "identity"])
def test_hashed_files_are_kept_for_ever_and_sent_compressed(dist: Path, accepted: str) -> None:
    answer = _client(dist).get("/assets/index-abc.js", headers={"Accept-Encoding": accepted})
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-type"].startswith("text/javascript")
    assert ("content-encoding" in answer.headers) == (accepted == "gzip")
    assert (int(answer.headers["content-length"]) < 5000) == (accepted == "gzip")
    assert answer.text == "x" * 5000


@pytest.mark.parametrize("path", ["/assets/gone.js", "/api/v1/nothing", "/api"])
def test_what_is_missing_is_no_page(dist: Path, path: str) -> None:
    assert _client(dist).get(path).status_code == 404


@pytest.mark.parametrize("path", ["/.hidden", "/..%2foutside.txt", "/assets/..%2f.hidden"])
def test_nothing_else_on_the_disk_is_served(dist: Path, path: str) -> None:
    assert "secret" not in _client(dist).get(path).text


def test_before_they_are_built_it_says_how(tmp_path: Path) -> None:
    client = _client(tmp_path / "dist")
    answer = client.get("/")
    assert answer.status_code == 503
    assert "make web" in answer.text
    assert client.get("/assets/index.js").status_code == 404
