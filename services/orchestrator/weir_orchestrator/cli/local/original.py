"""The run that a what-if is of, as the programs that there are now carry it out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from weir.errors import RunFailure
from weir_engine.errors import DiskFull
from weir_engine.states import FINISHED
from weir_engine.store import Store

from weir_orchestrator.cli.common import notes
from weir_orchestrator.cli.local.carry_out import carry_out
from weir_orchestrator.cli.local.kernels import build_kernels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from weir.resolved import Experiment
    from weir_engine.task import Environment, RunUpdate, Task
    from weir_engine.whatif.original import Original

__all__ = ["Bench", "opened"]


@dataclass(frozen=True)
class Bench:
    """base: the run that others are held against. jobs: runs at a time."""

    base: Original
    store: Store
    environment: Environment
    jobs: int

    def do(
        self,
        tasks: Iterable[Task | None],
        most: int,
        note: Callable[[RunUpdate], None] = lambda update: None,
    ) -> None:
        """Carry runs out. Raises DiskFull; Abort where the user stopped it."""
        from weir_engine.executor.local import LocalExecutor  # noqa: PLC0415 - slow to import

        _, end = carry_out(LocalExecutor(self.environment, self.jobs), tasks, most, note)
        if end == "full":
            raise DiskFull(self.store.root)
        if end == "interrupted":
            notes.print("the same command goes on from here")
            raise typer.Abort

    def task(self, experiment: Experiment, what: Mapping[str, Any]) -> Task:
        """As `Original.task`, by the kernel and the programs that there are now."""
        kernel, roles = self.environment.kernel, self.environment.roles
        assert kernel is not None
        return self.base.task(experiment, what, kernel, roles["hash"])

    def have(self, *tasks: Task) -> list[Original]:
        """Runs, carried out unless the store has them. Raises RunFailure where one fails."""
        from weir_engine.campaign import to_do  # noqa: PLC0415
        from weir_engine.whatif.original import original  # noqa: PLC0415 - heavy

        if left := to_do(self.store, [*tasks], retry_invalid=False):
            self.do(left, len(left))
        for key, (state, reason) in self.store.states(task.key for task in tasks).items():
            if state not in FINISHED:
                raise RunFailure(f"the run {key} is {state}: {reason}")
        return [original(self.store.run_path(task.key)) for task in tasks]


def opened(run: str, store: Path, jobs: int) -> Bench:
    """Where what-ifs of a run are carried out.

    A run of another kernel or other programs is carried out again first: else what differs would
    not be by the change alone. Raises BadInput, CannotRun, RunFailure.
    """
    from weir_engine import provenance  # noqa: PLC0415
    from weir_engine.task import Environment  # noqa: PLC0415 - slow to import
    from weir_engine.whatif.original import original  # noqa: PLC0415 - heavy

    folder = Store(store)
    found = original(folder.find(run))
    folder.sweep()
    changed = [found.experiment["kernel"]] if "kernel" in found.experiment else []
    kernel = build_kernels(changed).of(found.experiment)
    environment = Environment(folder.root, kernel, provenance.roles())
    bench = Bench(found, folder, environment, jobs)
    own = bench.task(found.experiment, {})
    if own.key == found.document["key"]:
        return bench
    notes.print(
        "note: the run was made with another lab kernel or other programs than those installed "
        "now, so it is carried out again first"
    )
    return replace(bench, base=bench.have(own)[0])
