"""What an executor carries out, and what it says about it. Plain data that pickles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from weir.resolved import Experiment
from weir_lab.cell import run_cell

from weir_engine.states import History

if TYPE_CHECKING:
    from weir_lab.collect import CellResult
    from weir_lab.forked import Lent
    from weir_lab.kernel import Kernel
    from weir_lab.real.remote import Address

__all__ = [
    "CellRunner",
    "Environment",
    "Placement",
    "RunUpdate",
    "Task",
    "kernel_of",
    "needs_machine",
    "wall_limit",
]


class CellRunner(Protocol):
    """What `weir_lab.cell.run_cell` is; a function of a module, as it goes to other processes."""

    def __call__(
        self,
        experiment: Experiment,
        seed: int,
        kernel: Kernel,
        folder: Path,
        wall_limit_s: float,
        progress: Callable[[float], None],
        agents: dict[str, Address] | None,
        lent: Lent | None,
    ) -> CellResult:
        """Run `experiment` with `seed` in `kernel`. Raises RunFailure."""
        ...


@dataclass(frozen=True)
class Placement:
    """Where a run of the real clock is carried out. agents: URL by host; token: what they want."""

    agents: dict[str, str]
    token: str = field(repr=False)


@dataclass(frozen=True)
class Environment:
    """What all runs of one `weir run` share. kernel: None where each task names its own.

    refusal: why players that a campaign brings are not run; empty: they are. so_far_every_s: see
    `weir_engine.so_far`.
    """

    store: Path
    kernel: Kernel | None
    roles: dict[str, str]
    wall_limit_s: float | None = None
    executor: str = "local"
    refusal: str = ""
    so_far_every_s: float | None = None
    run_cell: CellRunner = run_cell


@dataclass(frozen=True)
class Task:
    """One run to carry out. `replaces`: a finished run of this key is done again.

    kernel: in place of the environment's. placement: absent where this machine is to be the cell.
    """

    key: str
    campaign: str
    levels: dict[str, Any]
    replicate: int
    seed: int
    experiment: Experiment
    replaces: bool = False
    history: History = field(default_factory=list)
    kernel: Kernel | None = None
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


def kernel_of(task: Task, environment: Environment) -> Kernel:
    """The lab kernel of a task's run."""
    kernel = task.kernel or environment.kernel
    assert kernel is not None, "neither the task nor its environment names a lab kernel"
    return kernel


def needs_machine(task: Task) -> bool:
    """Whether it must run alone here: what else runs would disturb the real clock."""
    return task.experiment["clock"] == "real" and task.placement is None


def wall_limit(experiment: Experiment, asked_s: float | None) -> float:
    """Seconds of wall time a run may take: as asked, or generous for its length.

    A virtual second takes a few milliseconds, so a minute and half the film's length
    is far beyond any honest run; under the real clock the film itself comes on top.
    """
    if asked_s is not None:
        return asked_s
    film_s = experiment["duration_s"]
    clients = max(1, len(experiment["clients"]))
    if experiment["clock"] == "real":
        return film_s + 120.0
    return 60.0 + film_s / 2 * clients
