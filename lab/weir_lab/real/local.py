"""A real-clock cell on this machine: the same agents as in containers, as subprocesses."""

from __future__ import annotations

import marshal
import time
from pathlib import Path
from typing import Any

from weir.errors import RunFailure
from weir.resolved import Experiment

from weir_lab import plan, record, wiring
from weir_lab.cell import CellResult, Progress, collect
from weir_lab.kernel import Kernel
from weir_lab.real import cell, losses, part
from weir_lab.real.fidelity import fidelity
from weir_lab.real.local_agents import local_agents
from weir_lab.real.remote import Address


def run_cell(
    experiment: Experiment,
    seed: int,
    kernel: Kernel,
    folder: Path,
    wall_limit_s: float,
    progress: Progress,
    agents: dict[str, Address] | None = None,
) -> CellResult:
    """`weir_lab.cell.run_cell` on the real clock; without agents, with such of its own."""
    if agents is not None:
        return run_on(agents, experiment, seed, kernel, folder, wall_limit_s, progress)
    if own := part.outside_hosts(experiment):
        raise RunFailure(
            f"{', '.join(own)}: an outside player needs a cell with agents of such, and this "
            "machine's own have none; see docs/outside-players.md"
        )
    with local_agents(wiring.hosts(len(experiment["clients"])), folder) as here:
        return run_on(here, experiment, seed, kernel, folder, wall_limit_s, progress)


def run_on(
    agents: dict[str, Address],
    experiment: Experiment,
    seed: int,
    kernel: Kernel,
    folder: Path,
    wall_limit_s: float,
    progress: Progress,
) -> CellResult:
    """Run on the agents given by host, wherever they are. Raises RunFailure."""
    _require_clients(agents, experiment)
    started = time.perf_counter()
    whole = part.with_outside(experiment, plan.make(experiment, seed, own_kernels=True))
    parts = part.parts(experiment, whole)
    try:
        states = cell.run(parts, agents, seed, kernel.hash, folder, wall_limit_s, progress)
    finally:
        log = _log(folder, list(parts))
    ran = time.perf_counter()
    result = _merge(experiment, whole, folder, states, log)
    result.wall_s = {"kernel": ran - started, "collect": time.perf_counter() - ran}
    return result


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


def _log(folder: Path, hosts: list[str]) -> str:
    """What all hosts said, one after the other; also left in the folder."""
    missed = folder / cell.MISSED
    said = [missed.read_text()] if missed.exists() else []
    for host in hosts:
        log = folder / host / "log.txt"
        if log.exists():
            said.append(f"--- {host}\n{log.read_text(errors='replace')}")
    text = "".join(said)
    (folder / "log.txt").write_text(text)
    return text


def _merge(
    experiment: Experiment,
    whole: plan.Plan,
    folder: Path,
    states: dict[str, dict[str, Any]],
    log: str,
) -> CellResult:
    for pattern in ("client-*", "events-*"):
        for path in folder.glob(f"*/{pattern}"):
            path.rename(folder / path.name)
    measured = {host: _unmarshal(folder / host / "measured.marshal") for host in states}
    late_s = {host: _unmarshal(folder / host / "lateness") for host in states}
    starved = {host: state["starved"] for host, state in states.items()}
    before_s, after_s = measured[wiring.client_host(1)]["idle_rtts_s"]
    seen = record.read(
        [(folder / host / "record.bin", states[host]["epoch_s"])
         for host in (wiring.SERVER, wiring.GATEWAY)]
    )  # fmt: skip
    common = {"idle_rtts_s": before_s, "counters": measured[wiring.GATEWAY]["counters"]}
    result = collect(experiment, whole, folder, log, seen, common)
    applied = plan.mentioned_commands(whole)
    result.data.checks.extend(fidelity(experiment, after_s, late_s, starved, applied))
    clients = len(experiment["clients"])
    ends = {
        host: losses.Ends(
            wiring.peers(host, clients), has["sent"], has["received"], states[host]["overflows"]
        )
        for host, has in measured.items()
    }
    result.data.checks.append(losses.lost_packets(ends))
    return result


def _unmarshal(path: Path) -> Any:
    return marshal.loads(path.read_bytes())
