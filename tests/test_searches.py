"""A search carried out by `weir run`: found, repeated to the byte, gone on with after an end."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
import yaml
from weir_testing.command import campaign, finished, weir
from weir_testing.files import HOST, contents

pytestmark = pytest.mark.kernel

SEARCH = {
    "factor": "gateway.downlink.rate",
    "from": "500kbit/s",
    "to": "2.5Mbit/s",
    "step": "250kbit/s",
    "passes": {"metric": "stall_count", "at_most": 0},
    "per": "replicate",
}


def searching(folder: Path, **changes: Any) -> Path:
    """One client at a constant 928 kbit/s."""
    path = campaign(folder, clients=[{"player": "fixed", "options": {"level": 1}}])
    spec = yaml.safe_load(path.read_text())
    path.write_text(yaml.safe_dump(spec | {"search": SEARCH | changes}, sort_keys=False))
    return path


def test_the_smallest_link_is_found_and_found_again(tmp_path: Path) -> None:
    path = searching(tmp_path)
    first, second = tmp_path / "first", tmp_path / "second"
    done = weir("run", path, "--store", first, "--jobs", "2")
    assert done.returncode == 0, done.stderr
    kept = contents(first, but=HOST)
    table = tmp_path / "found.csv"
    weir("export", path, "--store", first, "--out", table)
    rows = list(csv.DictReader(table.open()))
    assert len(rows) == 2 and "gateway.downlink.rate" not in rows[0]
    for row in rows:
        # 928 kbit/s of film, and headers of 4 % and more.
        assert float(row["searched_level"]) in (1_000_000, 1_250_000)
        assert float(row["search_exceptions"]) == 0
    assert len(finished(first)) < 2 * 9  # fewer than all levels

    # The same again, one replicate first and then gone on with: the same runs, the same bytes.
    weir("run", path, "--store", second, "--replicates", "1")
    again = weir("run", path, "--store", second, "--jobs", "1")
    assert again.returncode == 0, again.stderr
    assert {name: text for name, text in contents(second, but=HOST).items() if name in kept} == kept
    assert len(finished(second)) == len(finished(first))
    assert again.stdout.splitlines()[:2] == done.stdout.splitlines()[:2]


def test_ends_that_both_pass_are_told(tmp_path: Path) -> None:
    path = searching(tmp_path, **{"from": "1.5Mbit/s"})
    done = weir("run", path, "--store", tmp_path / "store")
    assert done.stdout.count("both ends pass, 1.5Mbit/s and 2.5Mbit/s: widen from and to") == 2
    told = weir("report", path, "--store", tmp_path / "store", "--metric", "searched_level")
    assert "not averaged: 2 invalid" in told.stdout
