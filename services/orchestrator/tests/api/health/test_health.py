"""Health, workers, metrics, and the size of requests."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Iterator

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.types import Message, Receive, Scope, Send
from weir_orchestrator.api.admission.admit import Admission
from weir_orchestrator.db import Campaign, Worker, schema
from weir_orchestrator.settings import Settings
from weir_testing.platform import TEAM, Platform
from weir_testing.servers import minio, postgres

API = "/api/v1"


def test_a_platform_that_is_whole_is_ready(platform: Platform) -> None:
    client = platform.client("nobody")
    assert client.get(f"{API}/health/live").json() == {"status": "ok"}
    assert client.get(f"{API}/health/ready").json() == {"status": "ok"}
    schema.downgrade(platform.app.state.engine, "base")
    answer = client.get(f"{API}/health/ready")
    assert answer.status_code == 503
    assert "weir db upgrade" in answer.json()["detail"]
    assert client.get(f"{API}/health/live").status_code == 200


@pytest.mark.parametrize("platform_settings", ["served"], indirect=True)
def test_without_database_it_is_not_ready_and_recovers(
    platform: Platform, postgres_server: postgres.Postgres
) -> None:
    client = platform.client("read")
    assert client.get(f"{API}/me").status_code == 200
    postgres_server.kill()
    try:
        answer = client.get(f"{API}/health/ready")
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
        assert client.get(f"{API}/me").status_code == 503
    finally:
        postgres_server.start()
    assert client.get(f"{API}/health/ready").status_code == 200
    assert client.get(f"{API}/me").status_code == 200


@pytest.fixture
def store_away(minio_server: minio.Minio) -> Iterator[Callable[[], None]]:
    yield minio_server.kill
    minio_server.start()


@pytest.mark.parametrize("platform_settings", ["served"], indirect=True)
def test_without_object_store_it_is_not_ready(
    platform: Platform, store_away: Callable[[], None]
) -> None:
    client = platform.client("nobody")
    store_away()
    answer = client.get(f"{API}/health/ready")
    assert answer.status_code == 503
    assert "s3://" in answer.json()["detail"]


def test_workers_are_listed_until_they_go(platform: Platform) -> None:
    with platform.sessions.begin() as session:
        for pid, state in enumerate(("up", "draining", "gone")):
            held = {"clocks": ["real"], "problem": "its gateway is away"} if pid else {}
            session.add(Worker(host="here", pid=pid, jobs=2, state=state, **held))
    workers = platform.client("read").get(f"{API}/workers").json()
    assert [(w["state"], w["jobs"], w["running"]) for w in workers] == [
        ("up", 2, 0),
        ("draining", 2, 0),
    ]
    assert [(w["clocks"], w["problem"]) for w in workers] == [
        ([], ""),
        (["real"], "its gateway is away"),
    ]


def test_metrics_count_requests_and_tell_the_state(platform: Platform) -> None:
    with platform.sessions.begin() as session:
        session.add(Worker(host="here", pid=1, jobs=2))
        session.add(
            Campaign(
                team_id=platform.team_id,
                name="a secret name",
                document="",
                kernel_hash="",
                roles_hash="",
                state="active",
                combination_count=1,
                replicates=1,
                run_count=1,
            )
        )
    client = platform.client("read")
    client.get(f"{API}/me")
    client.get(f"{API}/teams/{uuid.uuid4()}")
    text = platform.client("nobody").get("/metrics").text
    samples = {
        (s.name, *sorted(s.labels.items())): s.value
        for family in text_string_to_metric_families(text)
        for s in family.samples
    }
    assert samples[("weir_campaigns", ("state", "active"))] == 1
    assert samples[("weir_workers", ("state", "up"))] == 1
    assert samples[("weir_runs_queued",)] == 0
    asked = ("handler", "/api/v1/me"), ("method", "GET"), ("status", "200")
    assert samples[("http_requests_total", *asked)] == 1
    assert "a secret name" not in text and TEAM not in text
    assert '"/api/v1/teams/{team}"' in text, "by the endpoint, not by each address"


def test_large_bodies_are_refused(platform_with: Callable[..., Platform]) -> None:
    client = platform_with(max_body_bytes=2048, max_file_bytes=1024).client("operator")
    path = f"{API}/users"
    refused = client.post(path, content=b" " * 2049)
    assert refused.status_code == 413
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.json()["detail"] == "at most 2048 bytes are taken here"
    json = {"Content-Type": "application/json"}
    chunked = client.post(path, content=iter([b" " * 1024] * 3), headers=json)
    assert chunked.json() == refused.json()
    assert client.post(path, content=b" " * 2048, headers=json).status_code == 422
    file = f"{API}/teams/{TEAM}/files/{'0' * 64}"
    assert client.put(file, content=b" " * 1025).json()["detail"].startswith("at most 1024")


CHUNKED = [(b"transfer-encoding", b"chunked")]


def test_a_body_without_end_is_not_read_to_its_end() -> None:
    received, sent = 0, []

    async def receive() -> Message:
        nonlocal received
        received += 1
        return {"type": "http.request", "body": b" " * 1024, "more_body": True}

    async def send(message: Message) -> None:
        sent.append(message)

    async def reads_all(scope: Scope, receive: Receive, send: Send) -> None:
        while True:
            await receive()

    scope = {"type": "http", "method": "POST", "path": "/", "headers": CHUNKED}
    limited = Admission(reads_all, Settings(max_body_bytes=2048))
    asyncio.run(limited(scope, receive, send))
    assert received == 3
    assert sent[0]["status"] == 413
