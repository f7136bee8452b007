"""The documentation as it is served."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from weir_orchestrator.api import manual, problems

SCRIPT = "document.title = 'Weir'"


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    site = tmp_path / "site"
    (site / "reference").mkdir(parents=True)
    (site / "index.html").write_text(f"<h1>Weir</h1><script>{SCRIPT}</script>")
    (site / "reference" / "metrics.html").write_text("<h1>Metrics</h1>")
    (site / "extra.css").write_text("h1 {}")
    (tmp_path / "outside.html").write_text("secret")
    return _client(site)


def _client(site: Path) -> TestClient:
    app = FastAPI(openapi_url=None)
    problems.install(app)
    manual.install(app, site)
    return TestClient(app)


@pytest.mark.parametrize("path", ["/docs", "/docs/", "/docs/index.html"])
def test_its_first_page_runs_its_own_scripts_and_no_others(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, "<h1>Weir</h1>" in answer.text) == (200, True)
    digest = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    policy = answer.headers["content-security-policy"]
    assert f"script-src 'self' 'sha256-{digest}';" in policy
    assert "'unsafe-inline'" not in policy.replace("style-src 'self' 'unsafe-inline'", "")


def test_a_page_without_scripts_runs_none_of_anothers(client: TestClient) -> None:
    policy = client.get("/docs/reference/metrics.html").headers["content-security-policy"]
    assert "sha256" not in policy


def test_a_page_that_was_built_anew_has_a_policy_anew(client: TestClient, tmp_path: Path) -> None:
    before = client.get("/docs/index.html").headers["content-security-policy"]
    (tmp_path / "site/index.html").write_text("<script>other()</script>")
    assert client.get("/docs/index.html").headers["content-security-policy"] != before


@pytest.mark.parametrize(
    "path", ["/docs/nothing.html", "/docs/..%2foutside.html", "/docs//etc/passwd", "/docs/%00"]
)
def test_nothing_else_is_served(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, "secret" in answer.text) == (404, False)


def test_before_it_is_built_it_says_how(tmp_path: Path) -> None:
    answer = _client(tmp_path / "site").get("/docs/index.html")
    assert (answer.status_code, "make docs" in answer.text) == (503, True)
