"""A guest that computes while virtual time stands still is found out, and keeps what it did."""

from __future__ import annotations

from pathlib import Path

import pytest
from weir.errors import RunFailure
from weir_engine.executor.local import LocalExecutor
from weir_engine.states import move
from weir_engine.task import Environment, Task
from weir_lab.cell import run_cell
from weir_lab.kernel import Kernel
from weir_lab.unfinished import unfinished
from weir_testing.cells import (
    ABR,
    SPINS_CPU_S,
    bulk,
    client,
    experiment,
    own_abr,
    run_impatiently,
)
from weir_testing.patience import PATIENCE_S
from weir_testing.platform.work import key_of

pytestmark = pytest.mark.kernel

SPINNING = {
    "in a loop": "sum(iter(int, 1))",
    "in system calls": "import os, itertools\n"
    "        sum(itertools.starmap(os.getppid, itertools.repeat(())))",
}
"""Within one line of Python: many lines are found out by the player's host."""


@pytest.mark.parametrize("how", SPINNING)
def test_a_guest_that_spins_is_found_out(kernel: Kernel, tmp_path: Path, how: str) -> None:
    spins = own_abr(ABR.format(body=SPINNING[how]))
    with pytest.raises(RunFailure, match=r"the guest spins: own\.py in client2 took"):
        run_cell(
            experiment({}, client(), spins), 1, kernel, tmp_path, PATIENCE_S,
            standstill_cpu_s=SPINS_CPU_S,
        )  # fmt: skip


def test_it_is_found_out_by_the_confined_process_of_a_run(kernel: Kernel, tmp_path: Path) -> None:
    """As a worker carries a run out, and a batch in a pod: by the local executor."""
    asked = experiment({}, client(), own_abr(ABR.format(body=SPINNING["in a loop"])))
    history = move(move([], "pending"), "queued")
    task = Task(key_of(1), "spins", {}, 1, 1, asked, history=history)
    environment = Environment(
        tmp_path, kernel, {"hash": "r" * 32}, PATIENCE_S, run_cell=run_impatiently
    )
    *_, end = LocalExecutor(environment, 1).execute([task])
    assert end.state == "failed"
    assert end.reason.startswith("the guest spins: own.py in client2 took")


def test_a_kernel_ended_by_force_leaves_what_players_did_and_most_of_its_record(
    kernel: Kernel, tmp_path: Path
) -> None:
    spins = own_abr(ABR.format(body="return sum(iter(int, 1)) if state.now_s > 40 else 1"))
    asked = experiment({"duration_s": 60.0}, bulk(), spins)
    with pytest.raises(RunFailure, match="the guest spins"):
        run_cell(asked, 1, kernel, tmp_path, PATIENCE_S, standstill_cpu_s=SPINS_CPU_S)
    found = unfinished(asked, 1, tmp_path)
    for rows in found.data.players:
        assert 30 < rows["last_byte_s"].max() <= 41
    assert found.traceback == ""
    assert found.data.tcp is not None
    # What the recorder had not written out yet are 16384 records, of some 1000 a second.
    assert 10 < found.data.tcp["t_ns"].max() / 1e9 < 41
