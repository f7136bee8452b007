"""An ABR that attacks, in a real run: it is nobody in the guest, and what it leaves is data."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from weir.errors import RunFailure
from weir_engine import provenance
from weir_engine.executor.local import LocalExecutor
from weir_engine.states import move
from weir_engine.task import Environment, Task
from weir_lab import plan, virtual
from weir_lab.cell import run_cell
from weir_lab.kernel import Kernel
from weir_testing import cells
from weir_testing.guest_attacks import ATTACKS, abr
from weir_testing.patience import PATIENCE_S

pytestmark = pytest.mark.kernel


@pytest.mark.parametrize("name", ATTACKS)
def test_it_is_denied(name: str, kernel: Kernel, tmp_path: Path) -> None:
    own = cells.own_abr(abr(ATTACKS[name]))
    folder = tmp_path / "cell"
    folder.mkdir()
    with pytest.raises(RunFailure, match="denied: "):
        run_cell(cells.experiment({}, own), 1, kernel, folder, PATIENCE_S)


def test_it_is_denied_where_the_worker_makes_what_anybody_may_write(
    kernel: Kernel, tmp_path: Path
) -> None:
    """As in a container whose umask is 0."""
    own = cells.own_abr(abr(ATTACKS["writes into the run's folder"]))
    history = move(move([], "pending"), "queued")
    task = Task("0" * 32, "small", {}, 1, 1, cells.experiment({}, own), history=history)
    before = os.umask(0)
    try:
        executor = LocalExecutor(Environment(tmp_path, kernel, provenance.roles()), 1)
        *_, ended = executor.execute([task])
    finally:
        os.umask(before)
    assert ended.state == "failed"
    assert "denied: " in ended.reason


@pytest.mark.parametrize("child", ["", "os._exit(0)"])
def test_a_fork_bomb_ends_its_run_and_does_not_wait_for_the_limit(
    child: str, kernel: Kernel, tmp_path: Path
) -> None:
    text = f"""\
import os
class Bomb:
    def __init__(self, ladder, options):
        while True:
            if os.fork() == 0:
                {child or "pass"}
    def choose(self, state):
        return 0
"""
    with pytest.raises(RunFailure) as failed:
        run_cell(cells.experiment({}, cells.own_abr(text)), 1, kernel, tmp_path, 600.0)
    assert "Resource temporarily unavailable" in failed.value.reason


def test_a_reason_of_any_length_and_content_is_held(kernel: Kernel, tmp_path: Path) -> None:
    own = cells.own_abr("raise ValueError(chr(0) + 'x' * 50_000 + chr(0))")
    with pytest.raises(RunFailure) as failed:
        run_cell(cells.experiment({}, own), 1, kernel, tmp_path, PATIENCE_S)
    assert "xxx" in failed.value.reason
    assert "\0" not in failed.value.reason


def test_what_it_says_is_kept_by_head_and_tail(kernel: Kernel, tmp_path: Path) -> None:
    text = """\
class Loud:
    def __init__(self, ladder, options):
        print("the first line", flush=True)
        for _ in range(3000):
            print("x" * 1000)
    def choose(self, state):
        return 0
"""
    asked = cells.experiment({"duration_s": 4.0}, cells.own_abr(text))
    result = run_cell(asked, 1, kernel, tmp_path, PATIENCE_S)
    assert "the first line" in result.log
    assert "bytes cut here" in result.log
    assert "DONE" in result.log
    assert len(result.log) < 1 << 20


@pytest.mark.parametrize("kind", ["link", "pipe", "holes", "large"])
@pytest.mark.parametrize("name", ["client-1", "client-1.error", "measured.json", "record.bin"])
def test_a_trap_in_place_of_a_file_is_a_failure(name: str, kind: str, tmp_path: Path) -> None:
    """As a lab kernel that was taken over would leave it, were it not confined."""
    folder = tmp_path / "cell"
    folder.mkdir()
    outside = tmp_path / "secret"
    outside.write_text("the store's secret key")
    trap = {"link": f"ln -sf {outside} {name}", "pipe": f"rm -f {name}; mkfifo {name}",
            "holes": f"truncate -s 1G {name}", "large": f"yes | head -c 70M > {name}"}  # fmt: skip
    files = "echo '{}' > measured.json; : > client-1; : > client-1.error; : > record.bin"
    subprocess.run(["sh", "-c", f"{files}; {trap[kind]}"], cwd=folder, check=True)
    if kind == "large" and name == "record.bin":
        pytest.skip("a record may be as large")
    asked = cells.experiment({})
    with pytest.raises(RunFailure) as failed:
        virtual.collected(asked, plan.make(asked, 1), folder, "DONE\n")
    assert "secret key" not in str(failed.value)
    assert name in failed.value.reason
