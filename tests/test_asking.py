"""Levels that are asked for outside of the guest: the same bytes as with decisions, time standing
still meanwhile."""

from __future__ import annotations

import gc
import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from weir.errors import RunFailure
from weir.resolved import Experiment
from weir.rundir import Columns
from weir_lab.asking import AskingCell, await_all
from weir_lab.cell import run_cell
from weir_lab.kernel import Kernel
from weir_lab.standstill import MOST_CPU_S
from weir_testing.cells import SPINS_CPU_S, WALL_LIMIT_S, client, experiment, own_abr
from weir_testing.patience import PATIENCE_S, until

pytestmark = pytest.mark.kernel

SEGMENTS = 12
SPINNING = """
class Abr:
    def __init__(self, ladder, options):
        pass
    def choose(self, state):
        return sum(iter(int, 1))
"""
SHORT = {"duration_s": 30.0, "content.segments": SEGMENTS, "gateway.path.rtt.stddev_s": 0.005}


@contextmanager
def asking(
    kernel: Kernel, folder: Path, asked: Experiment, standstill_cpu_s: float = MOST_CPU_S
) -> Iterator[AskingCell]:
    folder.mkdir()
    cell = AskingCell(asked, 7, kernel, 1, folder, PATIENCE_S, standstill_cpu_s)
    try:
        yield cell
    finally:
        cell.end()


def play(cell: AskingCell, choose: Callable[[int], int]) -> list[Columns]:
    """Answer to the end; the rows that came with each question, and with the end."""
    came = []
    await_all([cell])
    while cell.question is not None:
        came.append(cell.came())
        cell.answer(choose(cell.question.segment))
        await_all([cell])
    return [*came, cell.came()]


def same(one: Any, other: Any) -> bool:
    """Of tables and their lists, of JSON's values, and of None."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    return bool(one == other)


def test_all_that_is_left_is_as_with_decisions_however_long_answers_take(
    kernel: Kernel, tmp_path: Path
) -> None:
    """Beside two others that start at the same instant, and with all records."""
    others = [client("bola", options={}), client("aggressive-rate")]
    asked = experiment(SHORT, client("dashjs-throughput"), *others)
    pause = random.Random(1)

    def choose(segment: int) -> int:
        time.sleep(pause.choice((0.0, 0.0, 0.02)))
        return segment % 5

    with asking(kernel, tmp_path / "asking", asked) as cell:
        came = play(cell, choose)
        assert cell.levels == {segment: segment % 5 for segment in range(SEGMENTS)}
        found = cell.result()
        decided = cell.decided()
    (tmp_path / "plain").mkdir()
    plain = run_cell(decided, 7, kernel, tmp_path / "plain", WALL_LIMIT_S)
    assert same(vars(found.data), vars(plain.data))
    assert found.commands == plain.commands
    assert found.log == plain.log
    together = {
        name: np.concatenate([rows[name] for rows in came]) for name in plain.data.players[0]
    }
    assert same(together, plain.data.players[0])
    assert [len(rows["segment"]) for rows in came] == [0] + [1] * SEGMENTS


def test_several_cells_compute_at_once(kernel: Kernel, tmp_path: Path) -> None:
    asked = experiment(SHORT, client("fixed", options={"level": 0}))
    with (
        asking(kernel, tmp_path / "1", asked) as one,
        asking(kernel, tmp_path / "2", asked) as other,
    ):
        while not (one.over and other.over):
            await_all([one, other])
            for cell in (one, other):
                if cell.question is not None:
                    assert cell.question.own_level == 0
                    cell.answer(1)
        assert same(one.came(), other.came())


def test_who_answers_too_late_finds_the_cell_ended(kernel: Kernel, tmp_path: Path) -> None:
    asked = experiment(SHORT, client("fixed", options={"level": 0}))
    folder = tmp_path / "late"
    folder.mkdir()
    cell = AskingCell(asked, 7, kernel, 1, folder, PATIENCE_S)
    await_all([cell])
    pid = cell.pid
    cell.end()
    assert not Path(f"/proc/{pid}").exists()
    (tmp_path / "limited").mkdir()
    limited = AskingCell(asked, 7, kernel, 1, tmp_path / "limited", 0.02)
    with pytest.raises(RunFailure, match=r"within the wall-clock limit of 0\.02 s"):
        await_all([limited])
    limited.end()


@pytest.mark.parametrize("start_s", [0.0, 20.0])
def test_a_guest_that_spins_is_found_out(kernel: Kernel, tmp_path: Path, start_s: float) -> None:
    """While its client has still to ask, and while the others are played to their end."""
    fixed = client("fixed", options={"level": 0})
    asked = experiment(SHORT, fixed, own_abr(SPINNING, start_s=start_s))
    with asking(kernel, tmp_path / "cell", asked, standstill_cpu_s=SPINS_CPU_S) as cell:
        with pytest.raises(RunFailure, match=r"the guest spins: own\.py in client2 took"):
            play(cell, lambda segment: 0)
            assert start_s, "its client was over before the other one began"
            cell.result()
        assert not Path(f"/proc/{cell.pid}").exists()


def test_a_cell_that_is_forgotten_ends(kernel: Kernel, tmp_path: Path) -> None:
    cell = AskingCell(
        experiment(SHORT, client("fixed", options={"level": 0})), 7, kernel, 1, tmp_path, PATIENCE_S
    )
    await_all([cell])
    pid = cell.pid
    assert pid is not None
    os.kill(pid, 0)
    del cell
    gc.collect()
    until(lambda: not Path(f"/proc/{pid}").exists(), "its end")
