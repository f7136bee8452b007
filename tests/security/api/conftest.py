"""Platforms to attack: the API as `weir up` runs it, a process of its own on real sockets."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from weir_testing.platform import Platform
from weir_testing.platform.attacked import Attacked, attacked
from weir_testing.platform.fixtures import (
    filled_sqlite,
    platform,
    platform_settings,
    platform_with,
)

__all__ = ["filled_sqlite", "platform", "platform_settings", "platform_with"]


@pytest.fixture
def api(platform: Platform) -> Iterator[Attacked]:
    """The platform's API."""
    with attacked(platform.settings) as running:
        yield running
