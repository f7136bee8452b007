"""A long film takes no more memory than its record, and the lab kernel none at all."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Final

import pytest
from weir_testing.checkout import ROOT
from weir_testing.patience import PATIENCE_S

pytestmark = pytest.mark.kernel

BENCH = ROOT / "bench" / "memory.py"
ALLOWED_MIB: Final = 400


@pytest.fixture(
    scope="module", params=[(2, 8), pytest.param((3, 10, 30), marks=pytest.mark.long)], ids=str
)
def found(request: pytest.FixtureRequest) -> dict[int, dict[str, float]]:
    """Peaks and bytes of the reference run by its length in minutes."""
    lengths_min: tuple[int, ...] = request.param
    done = subprocess.run(
        [sys.executable, BENCH, "--json", *map(str, lengths_min)],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    )
    said: dict[str, float] = json.loads(done.stdout)
    assert said["allowed_mib"] == ALLOWED_MIB
    return {
        minutes: {
            name.removesuffix(f"_{minutes}min"): value
            for name, value in said.items()
            if name.endswith(f"_{minutes}min")
        }
        for minutes in lengths_min
    }


def test_a_run_stays_below_400_mib(found: dict[int, dict[str, float]]) -> None:
    peaks_mib = [found[minutes]["peak_mib"] for minutes in sorted(found)]
    assert peaks_mib[0] > 30
    assert peaks_mib[0] < peaks_mib[-1] < ALLOWED_MIB


def test_the_lab_kernel_does_not_grow_with_the_film(found: dict[int, dict[str, float]]) -> None:
    shorter, longer = (found[minutes]["kernel_mib"] for minutes in sorted(found)[-2:])
    assert shorter > 20
    assert longer < shorter + 6


def test_the_worker_grows_with_what_was_recorded_and_no_more(
    found: dict[int, dict[str, float]],
) -> None:
    lengths_min = sorted(found)[-2:]
    shorter, longer = (found[minutes] for minutes in lengths_min)
    recorded_mib = (longer["recorded_bytes"] - shorter["recorded_bytes"]) / 2**20
    assert recorded_mib > 1.5 * (lengths_min[1] - lengths_min[0])
    assert longer["worker_mib"] - shorter["worker_mib"] < 4.5 * recorded_mib


def test_traces_are_as_long_as_the_film(found: dict[int, dict[str, float]]) -> None:
    shorter, longer = (found[minutes]["written_bytes"] / minutes for minutes in sorted(found)[-2:])
    # 8 Mbit/s are 40,000 packets a minute: 5 bytes for each, and 7 for each of half as many ACKs.
    assert 100_000 < longer < 340_000 + 30_000
    assert longer < 1.1 * shorter
