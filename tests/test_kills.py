"""Whatever is killed while a campaign runs: every run ends once, whole, and no lease is left."""

from __future__ import annotations

from pathlib import Path

import pytest
from weir_testing import kills


@pytest.mark.kernel
def test_parts_of_a_served_platform_are_killed(tmp_path: Path) -> None:
    with kills.served() as backend:
        kills.play(backend(), seed=1, runs=200, kills=20, log=tmp_path / "log.txt")


@pytest.mark.kernel
def test_parts_of_an_embedded_platform_are_killed(tmp_path: Path) -> None:
    with kills.embedded() as backend:
        kills.play(backend(), seed=1, runs=60, kills=5, log=tmp_path / "log.txt")
