"""What the hosts of a real-clock cell left, each in a folder of its own, as one cell's."""

from __future__ import annotations

from pathlib import Path

from weir.resolved import Experiment

from weir_lab import left, plan, record, wiring
from weir_lab.collect import CellResult, collect
from weir_lab.guest.plan import Measured, Plan
from weir_lab.real import losses
from weir_lab.real.conduct import MISSED
from weir_lab.real.fidelity import fidelity
from weir_lab.real.messages import RunState

__all__ = ["gather", "merge", "merge_logs"]


def merge_logs(folder: Path, hosts: list[str]) -> str:
    """What all hosts said, one after the other; also left in the folder."""
    missed = folder / MISSED
    said = [missed.read_text()] if missed.exists() else []
    for host in hosts:
        if (folder / host / "log.txt").exists():
            said.append(f"--- {host}\n{left.console(folder / host)}")
    text = "".join(said)
    (folder / "log.txt").write_text(text)
    return text


def gather(folder: Path) -> None:
    """Put what the hosts' players and roles left beside each other, as one kernel's stand."""
    for pattern in ("client-*", "events-*"):
        for path in folder.glob(f"*/{pattern}"):
            path.rename(folder / path.name)


def merge(
    experiment: Experiment,
    whole: Plan,
    folder: Path,
    states: dict[str, RunState],
    log: str,
) -> CellResult:
    """One result of what the hosts left in folder/HOST; states: the agents' last ones by host."""
    gather(folder)
    measured = {host: left.json_value(folder / host, "measured.json") for host in states}
    late_s = {host: left.json_value(folder / host, "lateness") for host in states}
    starved = {host: state["starved"] for host, state in states.items()}
    before_s, after_s = measured[wiring.client_host(1)]["idle_rtts_s"]
    records = [
        (folder / host / "record.bin", epoch_s)
        for host in (wiring.SERVER, wiring.GATEWAY)
        if (epoch_s := states[host]["epoch_s"]) is not None
    ]
    seen = record.read(records)
    common: Measured = {
        "idle_rtts_s": [before_s],
        "counters": [measured[wiring.GATEWAY]["counters"]],
    }
    if options := measured[wiring.SERVER].get("control_options"):
        common["control_options"] = options
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
