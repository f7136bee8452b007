"""The lab kernel of a run is not pruned while the run's process lives."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from weir_engine.executor.local import LocalExecutor
from weir_engine.states import move
from weir_engine.store import Store
from weir_engine.task import Environment, Task
from weir_lab.cell import run_cell
from weir_lab.kernel import Kernel, cache, prune
from weir_testing.files import named
from weir_testing.patience import until
from weir_testing.platform.work import behaving, key_of


def _task(behave: str) -> Task:
    history = move(move([], "pending"), "queued")
    return Task(key_of(1), "small", {}, 1, 1, behaving(behave), history=history)


def test_it_is_held_from_before_the_run_to_its_end(
    environment: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEIR_CACHE", str(tmp_path / "cache"))
    program = cache.root() / "kernels" / "0" / "linux"
    program.parent.mkdir(parents=True)
    program.write_bytes(b"a lab kernel")
    kernel = Kernel(program, "0", "7.3-test", ("cubic", "reno"))
    cache.remember(kernel)
    go_on = tmp_path / "go-on"
    task = _task(f"waits {go_on}")
    executor = LocalExecutor(replace(environment, kernel=kernel), 1)
    for event in executor.execute([task]):
        if event.state == "running":
            until(lambda: named(Store(environment.store).temporary, "log.txt"), "the cell")
            assert prune(0).removed == ()
            go_on.touch()
        else:
            assert event.state == "succeeded", event.reason
    assert prune(0).removed == (program.parent,)


def test_a_run_whose_kernel_went_before_it_is_worth_another_try(environment: Environment) -> None:
    booting = replace(environment, run_cell=run_cell)
    *_, end = LocalExecutor(booting, 1).execute([_task("well")])
    assert (end.state, end.lost) == ("failed", True)
    assert "weir kernel build" in end.reason
