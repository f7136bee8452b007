"""A cell on the virtual clock: all hosts in one lab kernel."""

from __future__ import annotations

import time
from pathlib import Path

from weir.resolved import Experiment

from weir_lab import boot, browser_memory, bytecode, left, plan, programs, record, traffic, wiring
from weir_lab.collect import CellResult, collect
from weir_lab.forked import Lent
from weir_lab.guest.plan import Plan, dumped
from weir_lab.kernel import Kernel
from weir_lab.standstill import MOST_CPU_S

__all__ = ["carried", "collected", "prepared", "run", "shape"]

_LEVELS = {"off": boot.OFF, "full": boot.FULL, "summary": boot.SECONDS, "per-second": boot.SECONDS}


def run(
    experiment: Experiment,
    seed: int,
    kernel: Kernel,
    folder: Path,
    wall_limit_s: float,
    standstill_cpu_s: float,
    lent: Lent | None = None,
) -> CellResult:
    """`weir_lab.cell.run_cell` on the virtual clock: plan, boot, collect. Raises RunFailure."""
    started = time.perf_counter()
    cell = lent.plan if lent else plan.make(experiment, seed)
    how = prepared(experiment, seed, cell, folder, standstill_cpu_s)
    planned = time.perf_counter()
    log = boot.run(kernel, how, folder, wall_limit_s, lent.line if lent else None)
    ran = time.perf_counter()
    result = collected(experiment, cell, folder, log)
    result.wall_s = {
        "plan": planned - started,
        "kernel": ran - planned,
        "collect": time.perf_counter() - ran,
    }
    return result


def prepared(
    experiment: Experiment,
    seed: int,
    cell: Plan,
    folder: Path,
    standstill_cpu_s: float = MOST_CPU_S,
) -> boot.Boot:
    """Put into `folder` what the guest needs to carry out the plan; how it does."""
    bytecode.compile_packages(cell["packages"].values())
    (folder / "plan.marshal").write_bytes(dumped(cell))
    return carried(experiment, seed, cell, standstill_cpu_s)


def carried(
    experiment: Experiment, seed: int, cell: Plan, standstill_cpu_s: float = MOST_CPU_S
) -> boot.Boot:
    """How a lab kernel carries a plan out."""
    return boot.Boot(
        seed,
        len(experiment["clients"]) + len(traffic.flows(experiment)),
        _LEVELS[experiment["record"]["tcp"]],
        _LEVELS[experiment["record"]["queue"]],
        folders=tuple(map(Path, cell["packages"].values())),
        programs=programs.count(experiment),
        more_mib=browser_memory.more_mib(experiment),
        running=_running(experiment),
        record_ns=_record_ns(experiment, cell["epoch_s"]),
        standstill_cpu_s=standstill_cpu_s,
        before=plan.before(experiment, cell),
    )


def shape(experiment: Experiment, cell: Plan, kernel: Kernel) -> boot.Shape:
    """What a zygote that forks the plan's run has to be booted for."""
    return boot.shape(kernel, carried(experiment, 0, cell))


def collected(experiment: Experiment, cell: Plan, folder: Path, log: str) -> CellResult:
    """What a guest that came to its end left in `folder`. Raises RunFailure."""
    measured = left.json_value(folder, "measured.json")
    known = traffic.flows(experiment)
    seen = record.read([(folder / "record.bin", cell["epoch_s"])], known)
    return collect(experiment, cell, folder, log, seen, measured)


def _record_ns(experiment: Experiment, epoch_s: float) -> tuple[int, int] | None:
    if "per-second" not in experiment["record"].values():
        return None
    from_ns = round(epoch_s * 1e9)
    return from_ns, from_ns + round(experiment["duration_s"] * 1e9)


def _running(experiment: Experiment) -> dict[str, str]:
    """What runs in each host that something can spin in."""
    players = {
        wiring.client_host(number): client["player"]
        for number, client in enumerate(experiment["clients"], 1)
    }
    return {wiring.SERVER: experiment["server"]["http"], **players}
