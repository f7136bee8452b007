"""What the orchestrator's tests share: a campaign, a kernel that is none, a stand-in cell."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from weir_lab.kernel import Kernel
from weir_orchestrator.task import Setting

sys.path.insert(0, str(Path(__file__).parent))

from platform_fixtures import (
    _filled_sqlite,
    platform,
    platform_settings,
    platform_with,
)

__all__ = ["_filled_sqlite", "platform", "platform_settings", "platform_with"]

SPEC: dict[str, Any] = {
    "name": "small",
    "experiment": {
        "duration": "20s",
        "content": {"ladder": ["1Mbit/s", "2Mbit/s", "3Mbit/s"], "segment": "2s"},
        "gateway": {"downlink": {"rate": "8Mbit/s"}, "path": {"rtt": {"mean": "100ms"}}},
        "clients": [{"player": "fixed", "options": {"level": 1}, "count": 2}],
    },
    "factors": {
        "gateway.shaping.method": ["none", "rwtm"],
        "server.congestion_control": ["cubic", "reno"],
    },
    "replicates": 3,
    "seed": 1,
}


@pytest.fixture
def kernel() -> Kernel:
    return Kernel(Path("/nowhere"), "0123456789abcdef", "7.3-test", ("cubic", "reno"))


@pytest.fixture
def store_path(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.fixture
def setting(kernel: Kernel, store_path: Path) -> Setting:
    roles = {"hash": "r" * 32, "python": "3"}
    return Setting(store_path, kernel, roles, 60.0, run_cell="stand_in_cell:run_cell")


@pytest.fixture
def campaign_file(tmp_path: Path) -> Callable[..., Path]:
    """Write a campaign: SPEC with some keys replaced."""

    def write(**changes: Any) -> Path:
        path = tmp_path / "small.yaml"
        path.write_text(yaml.safe_dump({**SPEC, **changes}))
        return path

    return write
