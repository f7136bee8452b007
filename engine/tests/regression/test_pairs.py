"""Which runs of two campaigns stand beside each other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from weir_engine.errors import BadInput
from weir_engine.regression import pair
from weir_engine.row import Row


def row(folder: Path, level: str, replicate: int, seed: int, value: float) -> Row:
    """A run with one metric and one file, whose content is the value."""
    path = folder / f"{level}-{replicate}"
    path.mkdir(parents=True)
    (path / "players.parquet").write_text(str(value))
    (path / "host.json").write_text(str(folder))
    metrics: Any = {
        "format": 1,
        "run": {"jain": 1.0},
        "clients": [{"client": 1, "rank": 1, "stall_count": value}],
        "switch_steps": [],
    }
    return Row(str(path), {"queue": level}, replicate, seed, "succeeded", "", path, metrics)


def test_by_seed_whatever_the_order(tmp_path: Path) -> None:
    before = [row(tmp_path / "a", "sfq", n, 10 + n, float(n)) for n in range(3)]
    after = [row(tmp_path / "b", "sfq", n, 12 - n, float(2 - n) + 5) for n in range(3)]
    (found,), remarks = pair(before, after)
    assert (found.n, found.changed, remarks) == (3, 3, [])
    assert found.before["stall_count"] == [0.0, 1.0, 2.0]
    assert found.after["stall_count"] == [5.0, 6.0, 7.0]
    assert found.before["jain"] == [1.0] * 3


def test_by_replicate_where_no_seed_is_common(tmp_path: Path) -> None:
    before = [row(tmp_path / "a", "sfq", n, n, float(n)) for n in range(3)]
    after = [row(tmp_path / "b", "sfq", n, 100 + n, float(n)) for n in range(3)]
    (found,), _ = pair(before, after)
    assert found.before["stall_count"] == found.after["stall_count"]
    assert found.changed == 0


def test_what_is_on_one_side_only_is_said(tmp_path: Path) -> None:
    before = [row(tmp_path / "a", level, 0, 0, 1.0) for level in ("sfq", "codel")]
    after = [row(tmp_path / "b", level, 0, 0, 1.0) for level in ("sfq", "red")]
    found, remarks = pair(before, after)
    assert [each.levels for each in found] == [{"queue": "sfq"}]
    assert remarks == ["only the baseline has queue codel", "only the other has queue red"]


def test_runs_that_did_not_succeed_are_left_out_and_said(tmp_path: Path) -> None:
    before = [row(tmp_path / "a", "sfq", n, n, 1.0) for n in range(3)]
    after = [row(tmp_path / "b", "sfq", n, n, 1.0) for n in range(3)]
    after[1] = replace(after[1], state="invalid")
    (found,), remarks = pair(before, after)
    assert found.n == 2
    assert remarks == ["1 of 3 runs of queue sfq have no succeeded run beside them"]


def test_nothing_in_common(tmp_path: Path) -> None:
    before = [row(tmp_path / "a", "sfq", 0, 0, 1.0)]
    with pytest.raises(BadInput, match="no succeeded run of a combination"):
        pair(before, [row(tmp_path / "b", "red", 0, 0, 1.0)])
    changed = replace(before[0], levels={"rate": 1})
    with pytest.raises(BadInput, match="its factors are queue, and the other's are rate"):
        pair(before, [changed])


def test_runs_of_other_clocks_are_not_compared(tmp_path: Path) -> None:
    before = [row(tmp_path / "a", level, 0, 0, 1.0) for level in ("sfq", "codel")]
    after = [row(tmp_path / "b", level, 0, 0, 1.0) for level in ("sfq", "codel")]
    after[1] = replace(after[1], clock="real")
    (found,), remarks = pair(before, after)
    assert found.levels == {"queue": "sfq"}
    said = "queue codel is on the virtual clock in the baseline, and on the real clock in the other"
    assert remarks == [said]
    with pytest.raises(BadInput, match=f"{said}\n    Compare campaigns of one clock"):
        pair(before[1:], after[1:])
