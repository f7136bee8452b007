"""A cell on the real clock: on agents that stand somewhere already, or in one lab kernel here."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from weir.errors import RunFailure
from weir.resolved import Experiment

from weir_lab import plan, wiring
from weir_lab.collect import CellResult
from weir_lab.guest.part import Part
from weir_lab.guest.plan import Plan
from weir_lab.kernel import Kernel
from weir_lab.real import part
from weir_lab.real.conduct import Progress, conduct
from weir_lab.real.local_agent import local_agent
from weir_lab.real.merge import merge, merge_logs
from weir_lab.real.messages import CELL
from weir_lab.real.remote import Address

__all__ = ["run"]


def run(
    experiment: Experiment,
    seed: int,
    kernel: Kernel,
    folder: Path,
    wall_limit_s: float,
    progress: Progress,
    agents: dict[str, Address] | None = None,
) -> CellResult:
    """`weir_lab.cell.run_cell` on the real clock; without agents, with one of its own."""
    with _placed(experiment, seed, kernel, folder, agents) as (where, cell, parts):
        started = time.perf_counter()
        try:
            probes = cell["probes"]
            states = conduct(
                parts, probes, where, seed, kernel.hash, folder, wall_limit_s, progress
            )
        finally:
            log = merge_logs(folder, list(parts))
        ran = time.perf_counter()
        result = merge(experiment, cell, parts, folder, states, log)
        result.wall_s = {"kernel": ran - started, "collect": time.perf_counter() - ran}
        return result


@contextmanager
def _placed(
    experiment: Experiment,
    seed: int,
    kernel: Kernel,
    folder: Path,
    agents: dict[str, Address] | None,
) -> Iterator[tuple[dict[str, Address], Plan, dict[str, Part]]]:
    """Where the parts of which plan are carried out. Raises RunFailure."""
    if agents is not None:
        _require_clients(agents, experiment)
        cell = part.with_outside(experiment, plan.make(experiment, seed, own_kernels=True))
        yield agents, cell, part.parts(experiment, cell)
        return
    if own := part.outside_hosts(experiment):
        raise RunFailure(
            f"{', '.join(own)}: an outside player needs a cell with agents of such, and this "
            "machine's own has none; see docs/outside-players.md"
        )
    cell = plan.make(experiment, seed)
    with local_agent(kernel, folder) as here:
        yield {CELL: here}, cell, part.whole(experiment, cell)


def _require_clients(agents: dict[str, Address], experiment: Experiment) -> None:
    hosts = {wiring.client_host(number + 1) for number in range(len(experiment["clients"]))}
    own = set(part.outside_hosts(experiment))
    for asked, kind, option in ((hosts - own, "clients", "client"), (own, "outside players", "")):
        there = len(asked & agents.keys())
        if there < len(asked):
            more = f" (docker compose: --scale {option}={len(asked)})" if option else ""
            raise RunFailure(
                f"clients: the run has {len(asked)} {kind}, and no cell that is up has more than "
                f"{there} agents of such; start more{more}"
            )
