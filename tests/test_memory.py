"""A long film takes no more memory than its record, and the lab kernel none at all."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from weir_testing.checkout import ROOT
from weir_testing.patience import PATIENCE_S

pytestmark = pytest.mark.kernel

BENCH = ROOT / "bench" / "memory.py"


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    """Peaks and bytes of the reference run by its length."""
    done = subprocess.run(
        [sys.executable, BENCH, "--json"],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    )
    value: dict[str, Any] = json.loads(done.stdout)
    return value


def test_a_run_stays_below_400_mib(found: dict[str, Any]) -> None:
    assert found["allowed_mib"] == 400
    assert 30 < found["peak_mib_3min"] < found["peak_mib_30min"] < 400


def test_the_lab_kernel_does_not_grow_with_the_film(found: dict[str, Any]) -> None:
    assert found["kernel_mib_10min"] > 20
    assert found["kernel_mib_30min"] < found["kernel_mib_10min"] + 6


def test_the_worker_grows_with_what_was_recorded_and_no_more(found: dict[str, Any]) -> None:
    recorded_mib = (found["recorded_bytes_30min"] - found["recorded_bytes_10min"]) / 2**20
    assert recorded_mib > 30
    assert found["worker_mib_30min"] - found["worker_mib_10min"] < 4.5 * recorded_mib


def test_traces_are_as_long_as_the_film(found: dict[str, Any]) -> None:
    ten, thirty = (found[f"written_bytes_{minutes}min"] / minutes for minutes in (10, 30))
    # 8 Mbit/s are 40,000 packets a minute: 5 bytes for each, and 7 for each of half as many ACKs.
    assert 100_000 < thirty < 340_000 + 30_000
    assert thirty < 1.1 * ten
