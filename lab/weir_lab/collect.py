"""What a cell's hosts left behind, as one run's records."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from weir import ecn
from weir.errors import RunFailure
from weir.paths import has_names, paths_of, with_upstream
from weir.recording import sums_packets
from weir.records import Check, Command, Counted, EventRecord, FlowRecord
from weir.resolved import Client, Experiment
from weir.rundir import Columns, RunData
from weir_client import rows
from weir_client.errors import TRACEBACK
from weir_gateway import devices

from weir_lab import (
    carrier,
    checks,
    left,
    longer,
    plan,
    programs,
    record,
    responses,
    subflows,
    traffic,
)
from weir_lab import seconds as by_second
from weir_lab.guest.plan import Measured, Plan

__all__ = ["CellResult", "collect", "collect_unfinished", "rtts_by_path", "traceback_left"]

MOST_ROWS_BYTES = 64 << 20
"""Of a player's file: half a million requests."""


@dataclass
class CellResult:
    """What a cell left: its data, the commands applied, its console, and the time it took."""

    data: RunData
    commands: list[Command]
    log: str
    wall_s: dict[str, float] = field(default_factory=dict)


def collect(
    experiment: Experiment,
    cell: Plan,
    folder: Path,
    log: str,
    seen: record.Record,
    measured: Measured,
) -> CellResult:
    """What players and roles left in `folder`, what was recorded and what was measured, as one.

    Raises RunFailure when a client failed.
    """
    _require_players(experiment, folder)
    clients = range(1, len(experiment["clients"]) + 1)
    players = [_rows(experiment, number, folder) for number in clients]
    programs.connect(experiment, players, seen.flows)
    events = _events(experiment, folder)
    drawn = traffic.drawn(cell)
    came = {number: left.json_value(folder, responses.left_by(number)) for number in drawn}
    events = sorted([*events, *responses.events(came)], key=lambda event: event["t_s"])
    if "ended_s" in measured:
        events.append({"t_s": round(measured["ended_s"], 6), "event": "experiment-ends"})
        events.sort(key=lambda event: event["t_s"])
    commands = plan.mentioned_commands(cell)
    found = checks.all_checks(
        experiment,
        seen,
        rtts_by_path(cell, measured["idle_rtts_s"]),
        measured["counters"],
        events,
        commands,
    )
    found += longer.checks(experiment, cell, measured["idle_rtts_s"], commands)
    found += checks.control_options(experiment, measured.get("control_options", {}), commands)
    found += subflows.checks(experiment, measured.get("mptcp", {}), commands)
    sent = range(1, len(experiment.get("traffic", [])) + 1)
    found += traffic.checks(
        experiment, [left.json_value(folder, traffic.left_by(number)) for number in sent]
    )
    found += responses.checks(drawn, came)
    found += carrier.checks(experiment, events)
    data = _data(experiment, players, seen, events, found)
    said = log + programs.consoles(experiment, folder)
    return CellResult(data, commands + _later_commands(events), said)


def collect_unfinished(experiment: Experiment, folder: Path, seen: record.Record) -> RunData:
    """What can be read of a cell that failed: of a player that left nothing, no rows.

    A row is there for each segment that had come, and none for what was on its way.
    """
    clients = range(1, len(experiment["clients"]) + 1)
    players = [_rows_or_none(experiment, number, folder) for number in clients]
    programs.connect(experiment, players, seen.flows)
    try:
        events = _events(experiment, folder)
    except (RunFailure, OSError, ValueError, KeyError, TypeError):
        events = []
    return _data(experiment, players, seen, events, [])


def traceback_left(experiment: Experiment, folder: Path) -> str:
    """Where clients' own code went wrong, as Python tells it; empty where none says so."""
    said = []
    for number in range(1, len(experiment["clients"]) + 1):
        with suppress(RunFailure, FileNotFoundError):
            _, trace, where = left.text(folder, f"client-{number}.error").partition(TRACEBACK)
            said.append(trace + where)
    return "".join(said)


def _data(
    experiment: Experiment,
    players: list[Columns],
    seen: record.Record,
    events: list[EventRecord],
    found: list[Check],
) -> RunData:
    end_ns = round(experiment["duration_s"] * 1e9)
    keep = experiment["record"]
    if not ecn.recorded(experiment):
        for name in ("ecn", "marked"):
            seen.queue.pop(name, None)
    tcp, packets = keep["tcp"] == "full", keep["queue"] == "full"
    light = keep["queue"] == "per-second"
    own, upstream = _tables(
        experiment, seen.crossings if light else record.between(seen.queue, "arrival_ns", end_ns)
    )
    summed = sums_packets(experiment)
    bins, upstream_bins = _tables(experiment, seen.bins) if summed else (own, upstream)
    by_10ms = keep["queue"] != "off"
    return RunData(
        experiment=experiment,
        players=players,
        tcp=record.between(seen.tcp, "t_ns", end_ns) if tcp else None,
        retransmits=record.between(seen.retransmits, "t_ns", end_ns) if tcp else None,
        deadlines=(
            record.between(seen.deadlines, "t_ns", end_ns)
            if keep["tcp"] != "off" and any(map(_decides, experiment["clients"]))
            else None
        ),
        tcp_seconds=seen.senders if keep["tcp"] == "per-second" else None,
        queue=own if packets else None,
        queue_10ms=_per_10ms(bins, experiment["duration_s"]) if by_10ms else None,
        queue_seconds=own if light else None,
        upstream=upstream if packets else None,
        upstream_10ms=(
            _per_10ms(upstream_bins, experiment["duration_s"])
            if upstream_bins is not None and by_10ms
            else None
        ),
        upstream_seconds=upstream if light else None,
        flows=_with_paths(seen.flows, experiment) if has_names(experiment) else seen.flows,
        events=events,
        checks=found,
    )


def _decides(client: Client) -> bool:
    """Whether its sender is told deadlines, to move a parameter by."""
    return "deadlines" in client and client["deadlines"]["moves"] != "none"


def _tables(experiment: Experiment, rows: Columns) -> tuple[Columns, Columns | None]:
    """The bottlenecks' rows, and their upstreams', each with its path where these are named."""
    upstream = _taken_upstream(rows) if with_upstream(experiment) else None
    if not has_names(experiment):
        del rows["path"]
        if upstream is not None:
            del upstream["path"]
    return rows, upstream


def _taken_upstream(queue: Columns) -> Columns:
    """Takes the upstreams' rows out of the record, each with the number of its path."""
    behind = queue["path"] >= devices.FIRST_UPSTREAM
    found = {name: rows[behind] for name, rows in queue.items()}
    found["path"] = found["path"] - np.uint8(devices.FIRST_UPSTREAM)
    for name in list(queue):
        queue[name] = queue[name][~behind]
    return found


def rtts_by_path(cell: Plan, idle_rtts_s: list[list[float]]) -> dict[int, list[float]]:
    """What the plan's probes have measured."""
    probed = zip(cell["probes"], idle_rtts_s, strict=True)
    return {probe.get("path", 0): rtts_s for probe, rtts_s in probed if "traffic" not in probe}


def _with_paths(flows: list[FlowRecord], experiment: Experiment) -> list[FlowRecord]:
    """The client's address tells the path."""
    names = [path["name"] for path in paths_of(experiment)]
    return [{**flow, "path": names[int(flow["remote_address"].split(".")[1])]} for flow in flows]


def _per_10ms(rows: Columns, duration_s: float) -> Columns:
    """Of all paths one after the other, where they are named. rows: packets, or bins."""
    summed = by_second.dense if "busy_ns" in rows else record.per_10ms
    if "path" not in rows:
        return summed(rows, duration_s)
    parts = []
    for path in np.unique(rows["path"]):
        own = rows["path"] == path
        bins = summed({name: values[own] for name, values in rows.items()}, duration_s)
        parts.append(bins | {"path": np.full(len(bins["t_ns"]), path, np.uint8)})
    if not parts:
        bins = summed(rows, duration_s)
        return {name: values[:0] for name, values in bins.items()} | {"path": np.zeros(0, np.uint8)}
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _rows(
    experiment: Experiment, number: int, folder: Path, *, unfinished: bool = False
) -> Columns:
    if programs.in_guest(experiment, number):
        return programs.player(experiment, number, folder)
    with left.reading(folder, f"client-{number}", MOST_ROWS_BYTES) as file:
        return rows.read(file, unfinished=unfinished)


def _rows_or_none(experiment: Experiment, number: int, folder: Path) -> Columns:
    try:
        return _rows(experiment, number, folder, unfinished=True)
    except (RunFailure, OSError, ValueError):
        return rows.columns(np.zeros((0, rows.WIDTH)))


def _require_players(experiment: Experiment, folder: Path) -> None:
    for number in range(1, len(experiment["clients"]) + 1):
        error = f"client-{number}.error"
        if os.path.lexists(folder / error) and (said := left.text(folder, error)):
            said = said.partition(TRACEBACK)[0].strip()
            raise RunFailure(said + programs.last_said(experiment, number, folder))
        if not os.path.lexists(folder / f"client-{number}"):
            raise RunFailure(f"client {number} left no record; see its log")


def _later_commands(events: list[EventRecord]) -> list[Command]:
    """What the roles applied while the experiment ran."""
    return [
        {"host": event["host"], "program": line.split()[0], "line": line, "at_s": event["t_s"]}
        for event in events
        for line in event.get("applied", ())
    ]


def _events(experiment: Experiment, folder: Path) -> list[EventRecord]:
    """What the roles did and saw, in order of time; tc's counters cut down to numbers."""
    events: list[EventRecord] = []
    for path in sorted(folder.glob("events-*")):
        host = path.name.split("-")[1]
        for event in left.json_value(folder, path.name):
            if text := event.pop("counters", None):
                event["counted"] = _counted(text)
            event["host"] = host
            events.append(event)
    events += programs.events(experiment, folder)
    for number, client in enumerate(experiment["clients"], 1):
        events.append({"t_s": client["start_s"], "event": "client-starts", "client": number})
        if client["stop_s"] is not None:
            events.append({"t_s": client["stop_s"], "event": "client-stops", "client": number})
    return sorted(events, key=lambda event: event["t_s"])


def _counted(counters: str) -> Counted:
    (qdisc,) = [one for one in json.loads(counters) if one.get("root")]
    # netem loses what comes in and counts what goes out: in between, packets wait out their delay.
    return {"packets": qdisc["packets"] + qdisc["qlen"], "drops": qdisc["drops"]}
