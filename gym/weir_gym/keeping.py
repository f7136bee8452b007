"""An episode as a run like any other: its experiment, with what was chosen as `decisions`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from weir.errors import RunFailure
from weir.runkey import run_key
from weir_engine import keep as engine
from weir_engine import provenance
from weir_engine.perform import WORK, carry_out
from weir_engine.states import move, now
from weir_engine.store import Store
from weir_engine.task import Environment, Task
from weir_lab.asking import AskingCell
from weir_lab.kernel import Kernel

__all__ = ["keep"]


def keep(
    store: Path, cell: AskingCell, campaign: str, levels: dict[str, Any], seed: int, kernel: Kernel
) -> Path:
    """Play the cell to its end and put its run into the store; the run's directory there.

    Raises RunFailure where it does not come to its end, or the store has no room.
    """
    roles, experiment = provenance.roles(), cell.decided()
    key = run_key(experiment, seed, kernel.hash, roles["hash"])
    history = move(move([], "pending"), "queued")
    task = Task(key, campaign, levels, 0, seed, experiment, history=history)
    environment = Environment(store, kernel, roles, run_cell=lambda *given: cell.result())
    started, temporary = now(), Store(store).new_temporary(key)
    (temporary / WORK).mkdir()
    ended = carry_out(task, environment, temporary / WORK, lambda progress: None)
    outcome = engine.keep(task, environment, temporary, ended, started)
    if outcome["state"] not in ("succeeded", "invalid"):
        raise RunFailure(outcome["reason"])
    return Store(store).run_path(key)
