"""Whatever is killed while a campaign runs: every run ends once, whole, and no lease is left."""

from __future__ import annotations

from pathlib import Path

import pytest
from weir_testing import kills

pytestmark = pytest.mark.kernel


@pytest.mark.parametrize(
    ("runs", "killed"),
    [(30, 5), pytest.param(200, 20, marks=pytest.mark.long)],
    ids=["each part once", "again and again"],
)
def test_parts_of_a_served_platform_are_killed(tmp_path: Path, runs: int, killed: int) -> None:
    with kills.served() as backend:
        kills.play(backend(), seed=1, runs=runs, kills=killed, log=tmp_path / "log.txt")


# The programs are the same; what a killed worker leaves in SQLite, test_worker.py holds.
@pytest.mark.long
def test_parts_of_an_embedded_platform_are_killed(tmp_path: Path) -> None:
    with kills.embedded() as backend:
        kills.play(backend(), seed=1, runs=60, kills=5, log=tmp_path / "log.txt")
