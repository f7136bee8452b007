"""What the agents of a real-clock cell left, each in a folder of its own, as one cell's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from weir.resolved import Experiment

from weir_lab import left, plan, record, wiring
from weir_lab.collect import CellResult, collect, rtts_by_path
from weir_lab.guest.part import Part
from weir_lab.guest.plan import Measured, Plan, Probe
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
    parts: dict[str, Part],
    folder: Path,
    states: dict[str, RunState],
    log: str,
) -> CellResult:
    """One result of what the agents left in folder/AGENT; states: their last ones."""
    gather(folder)
    measured = {agent: left.json_value(folder / agent, "measured.json") for agent in states}
    late_s = {agent: left.json_value(folder / agent, "lateness") for agent in states}
    starved = {agent: state["starved"] for agent, state in states.items()}
    carries = {host: agent for agent, part in parts.items() for host in part["hosts"]}
    server, gateway = carries[wiring.SERVER], carries[wiring.GATEWAY]
    before_s, after_s = _idle_rtts(whole["probes"], measured, carries)
    records = [
        (folder / agent / "record.bin", epoch_s)
        for agent in dict.fromkeys((server, gateway))
        if (epoch_s := states[agent]["epoch_s"]) is not None
    ]
    seen = record.read(records)
    common: Measured = {
        "idle_rtts_s": before_s,
        "counters": measured[gateway]["counters"],
    }
    if options := measured[server].get("control_options"):
        common["control_options"] = options
    if counts := [has["mptcp"] for has in measured.values() if "mptcp" in has]:
        common["mptcp"] = {host: count for each in counts for host, count in each.items()}
    result = collect(experiment, whole, folder, log, seen, common)
    applied = plan.mentioned_commands(whole)
    after = rtts_by_path(whole, after_s)
    result.data.checks.extend(fidelity(experiment, after, late_s, starved, applied))
    ends = [
        losses.End(link["host"], link["peer"], *counted)
        for agent, has in measured.items()
        for link, *counted in zip(
            parts[agent]["links"],
            has["sent"],
            has["received"],
            states[agent]["overflows"],
            strict=True,
        )
    ]
    if ends:
        result.data.checks.append(losses.lost_packets(ends))
    return result


def _idle_rtts(
    probes: list[Probe], measured: dict[str, Any], carries: dict[str, str]
) -> list[list[list[float]]]:
    """Of each probe what was measured before the run, and of each what was measured after it."""
    by_agent = {agent: iter(has["idle_rtts_s"]) for agent, has in measured.items()}
    agents = [carries[probe["host"]] for probe in probes]
    return [[next(by_agent[agent]) for agent in agents] for _ in ("before", "after")]
