"""Fixtures `platform` and `platform_with`: a platform on each back end, fresh for every test."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from weir_orchestrator.settings import Settings

from weir_testing.platform import Platform, fill, run_platform

BACKENDS = ("embedded", "served")
SERVED = ("served", pytest.param("embedded", marks=pytest.mark.long))
"""For `platform_settings` of long tests whose proof does not depend on the back end."""
# The test client has no answer before a stream is over.
_WATCH = timedelta(seconds=0.2)


@pytest.fixture(scope="session")
def filled_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("platform") / "weir.db"
    fill(f"sqlite:///{path}")
    return path


@contextmanager
def places(request: pytest.FixtureRequest, backend: str, data: Path) -> Iterator[dict[str, Any]]:
    """Settings that name a fresh, filled database of the back end, and a store; data: a folder."""
    if backend == "embedded":
        shutil.copy(request.getfixturevalue("filled_sqlite"), data / "weir.db")
        yield {"data": data}
        return
    server = request.getfixturevalue("postgres_server")
    database = server.create(server.template("platform", fill))
    objects = request.getfixturevalue("minio_server")
    with objects.access.in_environment():
        yield {"data": data, "database": database, "store": objects.folder_url()}
    server.drop(database)


@contextmanager
def both(request: pytest.FixtureRequest, folder: Path) -> Iterator[list[Platform]]:
    """A platform with login on each back end, side by side."""
    with ExitStack() as stack:
        made = []
        for backend in BACKENDS:
            data = folder / f"data-{backend}"
            data.mkdir()
            settings = stack.enter_context(places(request, backend, data))
            made.append(stack.enter_context(run_platform(backend, _settings(settings))))
        yield made


@pytest.fixture(params=BACKENDS)
def platform_settings(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The name of a back end, and settings that name its fresh, filled database and store."""
    data = tmp_path / "weir-data"
    data.mkdir()
    with places(request, request.param, data) as settings:
        yield request.param, settings


@pytest.fixture
def platform_with(
    platform_settings: tuple[str, dict[str, Any]],
) -> Iterator[Callable[..., Platform]]:
    """`platform_with(auth="none", ...)`: a platform with those settings changed."""
    backend, places = platform_settings
    with ExitStack() as stack:

        def make(**changes: Any) -> Platform:
            settings = _settings(places | changes)
            return stack.enter_context(run_platform(backend, settings))

        yield make


def _settings(given: dict[str, Any]) -> Settings:
    return Settings(**{"auth": "login", "watch": _WATCH, **given})


@pytest.fixture
def platform(platform_with: Callable[..., Platform]) -> Platform:
    """A platform with login; see platform_parts.Platform. The test runs once per back end."""
    return platform_with()
