"""What an executor carries out, and what it says about it. Plain data that pickles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from weir_engine.states import History

__all__ = [
    "CellRunner",
    "Environment",
    "Placement",
    "RunUpdate",
    "Task",
    "needs_machine",
    "wall_limit",
]

CellRunner = Callable[..., Any]
"""run_cell(experiment, seed, kernel, scratch, wall_limit_s) -> CellResult; raises RunFailure.
On the real clock it is given `progress`, too, to call with seconds of film, and `agents` where
they stand elsewhere. See weir_lab.cell."""


@dataclass(frozen=True)
class Placement:
    """Where a run of the real clock is carried out. agents: URL by host; token: what they want."""

    agents: dict[str, str]
    token: str = field(repr=False)


@dataclass(frozen=True)
class Environment:
    """What all runs of one `weir run` share. `kernel` is a weir_lab.kernel.Kernel."""

    store: Path
    kernel: Any
    roles: dict[str, str]
    wall_limit_s: float | None = None
    executor: str = "local"
    run_cell: str = "weir_lab.cell:run_cell"
    """`module:function`, looked up in the worker."""


@dataclass(frozen=True)
class Task:
    """One run to carry out. `replaces`: a finished run of this key is done again.

    kernel: a weir_lab.kernel.Kernel in place of the environment's. placement: absent where this
    machine is to be the cell.
    """

    key: str
    campaign: str
    levels: dict[str, Any]
    replicate: int
    seed: int
    experiment: dict[str, Any]
    replaces: bool = False
    history: History = field(default_factory=list)
    kernel: Any = None
    placement: Placement | None = None


@dataclass(frozen=True)
class RunUpdate:
    """A run changed: state is running, succeeded, failed, invalid or cancelled.

    `disk_full` says that the store has no room: nothing more should be started. `lost`: it
    failed because its process was killed from outside; another try may well succeed. `film_s`:
    of a run on the real clock, which tells again and again how far it is while it is running.
    """

    task: Task
    state: str
    reason: str = ""
    wall_s: float = 0.0
    disk_full: bool = False
    lost: bool = False
    film_s: float | None = None


def needs_machine(task: Task) -> bool:
    """Whether it must run alone here: what else runs would disturb the real clock."""
    return task.experiment.get("clock") == "real" and task.placement is None


def wall_limit(experiment: dict[str, Any], asked_s: float | None) -> float:
    """Seconds of wall time a run may take: as asked, or generous for its length.

    A virtual second takes a few milliseconds, so a minute and half the film's length
    is far beyond any honest run; under the real clock the film itself comes on top.
    """
    if asked_s is not None:
        return asked_s
    film_s = float(experiment["duration_s"])
    clients = max(1, len(experiment.get("clients", ())))
    if experiment.get("clock") == "real":
        return film_s + 120.0
    return 60.0 + film_s / 2 * clients
