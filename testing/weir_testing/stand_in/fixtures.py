"""Fixtures of what carries campaigns out: a campaign, a kernel that is none, a stand-in cell."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from weir_engine.task import Environment
from weir_lab.kernel import Kernel

from weir_testing.platform.campaigns import SPEC
from weir_testing.stand_in.cell import run_cell


@pytest.fixture
def kernel() -> Kernel:
    return Kernel(Path("/nowhere"), "0123456789abcdef", "7.3-test", ("cubic", "reno"))


@pytest.fixture
def store_path(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.fixture
def environment(kernel: Kernel, store_path: Path) -> Environment:
    roles = {"hash": "r" * 32, "python": "3"}
    return Environment(store_path, kernel, roles, 60.0, run_cell=run_cell)


@pytest.fixture
def campaign_file(tmp_path: Path) -> Callable[..., Path]:
    """Write a campaign: SPEC with some keys replaced."""

    def write(**changes: Any) -> Path:
        path = tmp_path / "small.yaml"
        path.write_text(yaml.safe_dump({**SPEC, **changes}))
        return path

    return write
