"""What the orchestrator's tests share: a campaign, a kernel that is none, a stand-in cell."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from weir_engine.task import Environment
from weir_lab.kernel import Kernel

sys.path.insert(0, str(Path(__file__).parent))

from campaign_parts import SPEC
from object_parts import store
from platform_fixtures import (
    _filled_sqlite,
    platform,
    platform_settings,
    platform_with,
)
from webhook_parts import deliverer, open_platform, receiver, webhook

__all__ = [
    "_filled_sqlite",
    "deliverer",
    "open_platform",
    "platform",
    "platform_settings",
    "platform_with",
    "receiver",
    "store",
    "webhook",
]


@pytest.fixture
def kernel() -> Kernel:
    return Kernel(Path("/nowhere"), "0123456789abcdef", "7.3-test", ("cubic", "reno"))


@pytest.fixture
def store_path(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.fixture
def environment(kernel: Kernel, store_path: Path) -> Environment:
    roles = {"hash": "r" * 32, "python": "3"}
    return Environment(store_path, kernel, roles, 60.0, run_cell="stand_in_cell:run_cell")


@pytest.fixture
def campaign_file(tmp_path: Path) -> Callable[..., Path]:
    """Write a campaign: SPEC with some keys replaced."""

    def write(**changes: Any) -> Path:
        path = tmp_path / "small.yaml"
        path.write_text(yaml.safe_dump({**SPEC, **changes}))
        return path

    return write
