"""Running one experiment in one lab kernel: plan, boot, collect."""

from __future__ import annotations

import json
import marshal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weir.errors import RunFailure
from weir.resolved import Experiment
from weir.rundir import RunData

from weir_lab import boot, bytecode, checks, plan, record
from weir_lab.kernel import Kernel

if TYPE_CHECKING:
    from weir_lab.real.remote import Address

Progress = Callable[[float], None]


@dataclass
class CellResult:
    """What a cell left: its data, the commands applied, its console, and the time it took."""

    data: RunData
    commands: list[dict[str, Any]]
    log: str
    wall_s: dict[str, float] = field(default_factory=dict)


def run_cell(
    experiment: Experiment,
    seed: int,
    kernel: Kernel,
    folder: Path,
    wall_limit_s: float,
    progress: Progress = lambda film_s: None,
    agents: dict[str, Address] | None = None,
) -> CellResult:
    """Run `experiment` with `seed` in `kernel`; `folder` is an empty one for its scratch files.

    progress: on the real clock, called every now and then with seconds of film so far.
    agents: on the real clock, by host, where they stand already; None: some of its own.
    Raises RunFailure with a reason that a person can act on: the kernel does not know the
    congestion control, an ABR went wrong, the wall-clock limit was reached.
    """
    _require_congestion_control(experiment, kernel)
    if experiment["clock"] == "real":
        # httpx2: what runs on the virtual clock need not wait for its import.
        from weir_lab.real.local import run_cell as run_live  # noqa: PLC0415

        return run_live(experiment, seed, kernel, folder, wall_limit_s, progress, agents)
    return _run_virtual(experiment, seed, kernel, folder, wall_limit_s)


def _run_virtual(
    experiment: Experiment, seed: int, kernel: Kernel, folder: Path, wall_limit_s: float
) -> CellResult:
    started = time.perf_counter()
    cell = plan.make(experiment, seed)
    bytecode.compile_packages(tuple(cell["packages"].values()))
    (folder / "plan.marshal").write_bytes(marshal.dumps(cell))
    recorded = experiment["record"]
    how = boot.Boot(
        seed, len(experiment["clients"]), recorded["tcp"] != "off", recorded["queue"] != "off"
    )
    planned = time.perf_counter()
    log = boot.run(kernel, how, folder, wall_limit_s)
    ran = time.perf_counter()
    measured = marshal.loads((folder / "measured.marshal").read_bytes())
    seen = record.read([(folder / "record.bin", cell["epoch_s"])])
    result = collect(experiment, cell, folder, log, seen, measured)
    result.wall_s = {
        "plan": planned - started,
        "kernel": ran - planned,
        "collect": time.perf_counter() - ran,
    }
    return result


def _require_congestion_control(experiment: Experiment, kernel: Kernel) -> None:
    asked = experiment["server"]["congestion_control"]
    if asked not in kernel.congestion_controls:
        raise RunFailure(
            f"server.congestion_control: {asked} is not in this lab kernel (it has "
            f"{', '.join(kernel.congestion_controls)}); put its C file into lab/cc and run "
            "weir kernel build"
        )


def _require_players(experiment: Experiment, folder: Path) -> None:
    for number in range(1, len(experiment["clients"]) + 1):
        error = folder / f"client-{number}.error"
        if error.exists():
            raise RunFailure(error.read_text().strip())
        if not (folder / f"client-{number}").exists():
            raise RunFailure(f"client {number} left no record; see its log")


def collect(
    experiment: Experiment,
    cell: plan.Plan,
    folder: Path,
    log: str,
    seen: record.Record,
    measured: dict[str, Any],
) -> CellResult:
    """What players and roles left in `folder`, what was recorded and what was measured, as one.

    measured: idle_rtts_s (s), counters (tc's, as JSON). Raises RunFailure when a client failed.
    """
    _require_players(experiment, folder)
    rows = import_module("weir_client.rows")
    clients = range(1, len(experiment["clients"]) + 1)
    players = [rows.read(folder / f"client-{number}") for number in clients]
    events = _events(experiment, folder)
    commands = plan.mentioned_commands(cell)
    found = checks.all_checks(
        experiment, seen, measured["idle_rtts_s"], measured["counters"], events, commands
    )
    end_ns = round(experiment["duration_s"] * 1e9)
    keep = experiment["record"]
    queue = record.between(seen.queue, "arrival_ns", end_ns)
    data = RunData(
        experiment=dict(experiment),
        players=players,
        tcp=record.between(seen.tcp, "t_ns", end_ns) if keep["tcp"] != "off" else None,
        retransmits=(
            record.between(seen.retransmits, "t_ns", end_ns) if keep["tcp"] != "off" else None
        ),
        queue=queue if keep["queue"] == "full" else None,
        queue_10ms=(
            record.per_10ms(queue, experiment["duration_s"]) if keep["queue"] != "off" else None
        ),
        flows=seen.flows,
        events=events,
        checks=found,
    )
    return CellResult(data, commands + _later_commands(events), log)


def _later_commands(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the roles applied while the experiment ran."""
    return [
        {"host": event["host"], "program": line.split()[0], "line": line, "at_s": event["t_s"]}
        for event in events
        for line in event.get("applied", ())
    ]


def _events(experiment: Experiment, folder: Path) -> list[dict[str, Any]]:
    """What the roles did and saw, in order of time; tc's counters cut down to numbers."""
    events: list[dict[str, Any]] = []
    for path in sorted(folder.glob("events-*")):
        host = path.name.split("-")[1]
        events += [event | {"host": host} for event in marshal.loads(path.read_bytes())]
    for number, client in enumerate(experiment["clients"], 1):
        events.append({"t_s": client["start_s"], "event": "client-starts", "client": number})
        if client["stop_s"] is not None:
            events.append({"t_s": client["stop_s"], "event": "client-stops", "client": number})
    for event in events:
        if text := event.pop("counters", None):
            (qdisc,) = [one for one in json.loads(text) if one.get("root")]
            event["counted"] = {key: qdisc[key] for key in ("packets", "drops")}
    return sorted(events, key=lambda event: event["t_s"])
