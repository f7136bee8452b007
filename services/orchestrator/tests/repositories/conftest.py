"""A git server, and settings by which the platform may go to it."""

from pathlib import Path

import pytest
from weir_orchestrator.settings import Settings
from weir_testing.git_server import server

__all__ = ["server"]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path / "data", webhooks_to_private=True)
