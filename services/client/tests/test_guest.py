"""What the guest pays for: imports, and files that hold what was written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import weir
import weir_client
from weir.resolved_film import Content as Film
from weir_client import rows
from weir_client.content import Content
from weir_client.errors import ContentError

SLOW = {"typing", "dataclasses", "re", "json", "enum", "inspect", "socket", "logging", "importlib"}
PATHS = [str(Path(package.__file__ or "").parents[1]) for package in (weir_client, weir)]


def test_the_guest_imports_little() -> None:
    code = (
        f"import sys; sys.path[:0] = {PATHS}; import weir_client.role\n"
        "for name in ('aggressive_rate', 'bba0', 'bba3', 'classic1', 'classic2', 'dynamic',\n"
        "             'festive', 'fixed', 'user'):\n"
        "    __import__('weir_client.abr.' + name)\n"
        "print(*sys.modules)"
    )
    command = [sys.executable, "-S", "-E", "-B", "-c", code]
    loaded = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert not SLOW & set(loaded)


def test_rows_come_back_as_written(tmp_path: Path) -> None:
    path = str(tmp_path / "client-1")
    row = (3, 1, 2e6, 500000, 1.5, 1.6, 2.0, 4.0, 5.5, 0.0, 8e6, float("nan"), 40000, 206)
    rows.write(path, [row, row])
    got = rows.read(path)
    assert list(got) == [name for name, _ in rows.COLUMNS]
    assert got["segment"].dtype == np.int32 and got["connection"][1] == 40000
    assert np.isnan(got["estimate_bps"]).all() and got["first_byte_s"][0] == 1.6
    rows.write(path, [])
    assert len(rows.read(path)["segment"]) == 0


def test_half_a_row_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "client-1"
    path.write_bytes(bytes(8 * 15))
    with pytest.raises(ValueError, match="15 values are no whole rows of 14 columns"):
        rows.read(path)


def test_rows_stand_in_their_file_as_they_come(tmp_path: Path) -> None:
    row = (3.0, *[1.0] * (rows.WIDTH - 1))
    path = tmp_path / "client-1"
    with path.open("wb") as file:
        growing = rows.Growing(file.fileno())
        growing.append(row)
        growing.append(row)
        assert list(rows.read(path)["segment"]) == [3, 3]
        file.write(b"half a row")
    assert list(rows.read(path, unfinished=True)["segment"]) == [3, 3]
    growing.append(row)  # its file is closed: nothing is written, and nothing goes wrong
    assert growing == [row] * 3


def test_ranges_of_constant_and_variable_content() -> None:
    base: Film = {
        "bitrates_bps": [1e6, 2e6],
        "segment_s": 2.0,
        "segments": None,
        "sizes_bytes": None,
    }
    constant = Content(base)
    assert constant.range_of(1, 3) == (1_500_000, 1_999_999) and constant.segments is None
    variable = Content({**base, "sizes_bytes": [[10, 20, 30], [1, 2, 3]], "segments": 2})
    assert [variable.range_of(0, i) for i in range(2)] == [(0, 9), (10, 29)]
    assert variable.size_of(1, 2) == 3 and variable.segments == 2
    with pytest.raises(ContentError, match="at least one level"):
        Content({**base, "bitrates_bps": []})
