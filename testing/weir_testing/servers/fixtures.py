"""Fixtures of every part's tests: the servers once per session, a database or bucket per test.

A test that names neither, but a platform, has a folder of the session's one bucket.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from weir_testing.servers import minio, postgres


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[postgres.Postgres]:
    """One Postgres for the session. A test that kills it starts it again before it ends."""
    with postgres.run(in_memory=True) as server:
        yield server


@pytest.fixture(scope="session")
def minio_server() -> Iterator[minio.Minio]:
    """One MinIO for the session. A test that kills it starts it again before it ends."""
    with minio.run(in_memory=True) as server:
        yield server


@pytest.fixture
def database_url(postgres_server: postgres.Postgres) -> Iterator[str]:
    """An empty database of the test's own."""
    url = postgres_server.create()
    yield url
    postgres_server.drop(url)


@pytest.fixture
def bucket_url(minio_server: minio.Minio) -> Iterator[str]:
    """An empty bucket of the test's own; the environment holds its credentials."""
    with minio_server.access.in_environment():
        yield minio_server.url(minio_server.create())
