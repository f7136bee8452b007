"""Running one experiment in a cell, on the clock that it asks for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from weir.errors import RunFailure
from weir.resolved import Experiment

from weir_lab.standstill import MOST_CPU_S

if TYPE_CHECKING:
    from weir_lab.collect import CellResult
    from weir_lab.forked import Lent
    from weir_lab.kernel import Kernel
    from weir_lab.real.conduct import Progress
    from weir_lab.real.remote import Address

__all__ = ["run_cell"]


def run_cell(
    experiment: Experiment,
    seed: int,
    kernel: Kernel,
    folder: Path,
    wall_limit_s: float,
    progress: Progress = lambda film_s: None,
    agents: dict[str, Address] | None = None,
    lent: Lent | None = None,
    standstill_cpu_s: float = MOST_CPU_S,
) -> CellResult:
    """Run `experiment` with `seed` in `kernel`; `folder` is an empty one for its scratch files.

    progress: on the real clock, called every now and then with seconds of film so far.
    agents: on the real clock, by host, where they stand already; None: one of its own.
    lent: on the virtual clock, what forks it; None: a lab kernel of its own does.
    standstill_cpu_s: on the virtual clock, CPU time that may be taken while it stands still.
    Raises RunFailure with a reason that a person can act on: the kernel does not know the
    congestion control, an ABR went wrong, the wall-clock limit was reached.
    """
    _require_congestion_control(experiment, kernel)
    # Each clock imports what the other need not wait for, and who only names a cell neither.
    if experiment["clock"] == "real":
        from weir_lab.real.run import run as run_real  # noqa: PLC0415

        return run_real(experiment, seed, kernel, folder, wall_limit_s, progress, agents)
    from weir_lab.virtual import run as run_virtual  # noqa: PLC0415

    return run_virtual(experiment, seed, kernel, folder, wall_limit_s, standstill_cpu_s, lent)


def _require_congestion_control(experiment: Experiment, kernel: Kernel) -> None:
    asked = {"server.congestion_control": experiment["server"]["congestion_control"]}
    for number, flow in enumerate(experiment.get("traffic", []), 1):
        if "congestion_control" in flow:
            asked[f"flow {number} of traffic"] = flow["congestion_control"]
    for where, name in asked.items():
        if name not in kernel.congestion_controls:
            raise RunFailure(
                f"{where}: {name} is not in this lab kernel (it has "
                f"{', '.join(kernel.congestion_controls)}); put its C file into lab/cc and run "
                "weir kernel build"
            )
