"""Was the run what was asked? Asked, applied and measured, side by side. Pure.

A run with a check that fails is *invalid*: its numbers belong to other conditions.
"""

from __future__ import annotations

import json
import math
from typing import Any

from weir import ecn
from weir.notes import IDLE_RESTART, idle_restart
from weir.paths import (
    alone,
    before_gateway,
    has_names,
    idle_rtt_s,
    paths_of,
    with_upstream,
)
from weir.recording import sums_packets
from weir.records import Check, Command, EventRecord
from weir.resolved import Experiment
from weir.rundir import Columns
from weir_gateway import devices

from weir_lab import tally
from weir_lab.record import Record
from weir_lab.tally import Tally

ROUNDING = 1e-9
MIN_BUSY_PACKETS = 500
"""Fewer back-to-back departures say too little about a link's rate."""


def all_checks(
    experiment: Experiment,
    record: Record,
    idle_rtts_s: dict[int, list[float]],
    counters: list[str],
    events: list[EventRecord],
    applied: list[Command],
) -> list[Check]:
    """Every check that applies to this experiment and to what it recorded.

    idle_rtts_s: by path, of those that were probed. counters: tc's, as JSON, of each path, and then
    of each upstream. Where paths are named, the name of a check ends in that of its path.
    """
    routers = with_upstream(experiment)
    every = range(len(counters) - len(routers))
    paths = [(number, alone(experiment, number)) for number in every]
    checks = idle_rtts(experiment, idle_rtts_s, applied)
    if experiment["record"]["tcp"] != "off":
        checks.append(_congestion_control(experiment, record, applied))
        checks += _idle_restart(experiment, applied)
        checks += _initial_ssthresh(experiment, record, applied)
        checks += _ecn(experiment, record, applied)
    if experiment["record"]["queue"] != "off":
        for number, one in paths:
            # Of the only bottleneck it is the whole record, which may be too large for a copy.
            alone_there = len(counters) == 1 and not has_names(experiment)
            seen = _tally(experiment, record, None if alone_there else number)
            checks += _named(one, _queue(one, seen, json.loads(counters[number])))
            said = of_path(one, number, applied)
            checks += _named(one, _rate(one, seen, said, devices.home(number)))
        for number, counted in zip(routers, counters[len(paths) :], strict=True):
            one = before_gateway(experiment, number)
            digit = devices.FIRST_UPSTREAM + number
            seen, device = _tally(experiment, record, digit), devices.upstream(number)
            said = [line for line in applied if line["host"] == devices.upstream_host(number)]
            found = [*_queue(one, seen, json.loads(counted)), *_rate(one, seen, said, device)]
            checks += _named(one, [{**each, "name": _before(each["name"])} for each in found])
    return checks + _losses(experiment, events)


def of_path(experiment: Experiment, number: int, applied: list[Command]) -> list[Command]:
    """What was applied at the path's gateway, or to another host's device on it."""
    if not has_names(experiment):
        return applied
    device = f"dev {devices.edge(number)} "
    hosts = devices.host(number), devices.upstream_host(number)
    return [one for one in applied if one["host"] in hosts or device in one["line"]]


def _tally(experiment: Experiment, record: Record, digit: int | None) -> Tally:
    """Of the bottleneck whose device has that digit; None: the record has no other's rows."""
    if sums_packets(experiment):
        return tally.of_bins(_at(record.bins, digit))
    return tally.of_packets(_at(record.queue, digit))


def _at(rows: Columns, digit: int | None) -> Columns:
    if digit is None:
        return rows
    own = rows["path"] == digit
    return {name: values[own] for name, values in rows.items()}


def _before(name: str) -> str:
    """A check's name where it is of the upstream's queue or rate."""
    return f"upstream_{name.removeprefix('downlink_')}"


def _named(experiment: Experiment, checks: list[Check]) -> list[Check]:
    """A path's checks; their names end in its own, where paths are named."""
    path = experiment["gateway"].get("name")
    return [{**each, "name": f"{each['name']}_{path}"} for each in checks] if path else checks


def check(
    name: str, asked: Any, applied: Any, measured: Any, tolerance: float | None, ok: bool
) -> Check:
    """One row of checks.json; every value in the unit that the name ends in."""
    return {
        "name": name,
        "asked": asked,
        "applied": applied,
        "measured": measured,
        "tolerance": tolerance,
        "ok": bool(ok),
    }


def _said(applied: list[Command], *words: str) -> list[str]:
    return [one["line"] for one in applied if all(word in one["line"] for word in words)]


def idle_rtts(
    experiment: Experiment,
    rtts_s: dict[int, list[float]],
    applied: list[Command],
    name: str = "idle_rtt_s",
) -> list[Check]:
    """Of each path that was probed: how long echo requests took while nothing else was on it."""
    checks: list[Check] = []
    for number in sorted(rtts_s):
        one = alone(experiment, number)
        said = [line for line in of_path(one, number, applied) if not of_port(line)]
        checks += _named(one, [idle_rtt(one, rtts_s[number], said, name)])
    return checks


def of_port(applied: Command) -> bool:
    """Whether it concerns one host at home alone."""
    return f" dev {devices.port(0)[:-1]}" in applied["line"]


def idle_rtt(
    experiment: Experiment,
    rtts_s: list[float],
    applied: list[Command],
    name: str,
    added_s: float = 0.0,
) -> Check:
    """The mean of one path's, and what a flow's own end adds to it."""
    asked_s = idle_rtt_s(paths_of(experiment)[0]) + added_s
    rtt = experiment["gateway"]["path"]["rtt"]
    # The mean of n probes of a jittering path strays by 4 standard errors once in 16,000 runs.
    spread_s = 4 * rtt["stddev_s"] / math.sqrt(len(rtts_s) or 1)
    tolerance_s = experiment["checks"]["rtt_tolerance_s"] + spread_s
    mean_s = sum(rtts_s) / len(rtts_s) if rtts_s else math.nan
    measured = round(mean_s, 9) if rtts_s else None
    ok = abs(mean_s - asked_s) <= tolerance_s
    lossy = any(experiment["gateway"]["path"]["loss"].values())
    return check(
        name, asked_s, _said(applied, "netem"), measured, round(tolerance_s, 9),
        ok or (lossy and not rtts_s),
    )  # fmt: skip


def _congestion_control(experiment: Experiment, record: Record, applied: list[Command]) -> Check:
    """Where no client asked for anything (its stop or an outage came first) nothing ran on any."""
    asked = experiment["server"]["congestion_control"]
    flows = [flow for flow in record.flows if "traffic" not in flow]
    found = sorted({flow["congestion_control"] for flow in flows})
    said = _said(applied, "tcp_congestion_control")
    ok = found == [asked] or not (found or _unknown_data(record))
    return check("congestion_control", asked, said, found, None, ok)


def _unknown_data(record: Record) -> bool:
    """Whether TCP carried data of a connection that the record does not tell of."""
    return any(
        bool(((rows["flow"] < 0) & (rows[name] > 0)).any())
        for rows, name in ((record.queue, "payload"), (record.crossings, "payload_bytes"))
        if rows
    )


def _idle_restart(experiment: Experiment, applied: list[Command]) -> list[Check]:
    """Told where they disagree; nothing is wrong with asking for it."""
    if (found := idle_restart(experiment)) is None:
        return []
    made_for, has = found
    said = _said(applied, IDLE_RESTART)
    return [check("idle_restart_of_the_control", made_for, said, has, None, True)]


def _initial_ssthresh(
    experiment: Experiment, record: Record, applied: list[Command]
) -> list[Check]:
    """What each connection's first ACK found: it is recorded before it is processed."""
    asked = experiment["server"].get("initial_ssthresh_segments")
    if asked is None:
        return []
    found = sorted(set(record.initial_ssthresh))
    said = _said(applied, "ssthresh lock")
    return [check("initial_ssthresh_segments", asked, said, found, None, found in ([], [asked]))]


def _ecn(experiment: Experiment, record: Record, applied: list[Command]) -> list[Check]:
    """What the connections of each client have agreed on, by the kernel, and should have."""
    if not ecn.recorded(experiment) and not _sets_ecn(experiment):
        return []
    accepts = ecn.of_server(experiment)
    asks = {
        number: ecn.of_client(experiment, number)
        for number in range(1, len(experiment["clients"]) + 1)
    }
    control = experiment["server"]["congestion_control"]
    found: dict[int, set[str]] = {}
    for flow, agreed in zip(record.flows, record.ecn, strict=False):  # other traffic comes last
        found.setdefault(flow["client"], set()).add(agreed)
    ok = all(
        modes == {ecn.agreed(asks[number], accepts, control)} for number, modes in found.items()
    )
    asked = {"server": accepts} | {f"client {number}": mode for number, mode in asks.items()}
    measured = {f"client {number}": sorted(modes) for number, modes in sorted(found.items())}
    return [check("ecn", asked, _said(applied, "tcp_ecn="), measured, None, ok)]


def _sets_ecn(experiment: Experiment) -> bool:
    return any("ecn" in each for each in (experiment["server"], *experiment["clients"]))


def control_options(
    experiment: Experiment, found: dict[str, str], applied: list[Command]
) -> list[Check]:
    """The options that the congestion control was given, as its module shows them."""
    asked = experiment["server"].get("congestion_control_options", {})
    said = [one["line"] for one in applied if one["program"] == "module"]
    shown = {name: _shown(value) for name, value in asked.items()}
    return (
        [check("congestion_control_options", asked, said, found, None, found == shown)]
        if asked
        else []
    )


def _shown(value: str | int | bool) -> str:
    """As the kernel writes a parameter."""
    return ("N", "Y")[value] if isinstance(value, bool) else str(value)


def _queue(experiment: Experiment, seen: Tally, qdiscs: list[Any]) -> list[Check]:
    leaves = [qdisc for qdisc in qdiscs if qdisc["kind"] != "htb"]
    (root,) = [qdisc for qdisc in qdiscs if qdisc.get("root")] or [{"packets": 0}]
    drops, sent = seen.dropped, seen.sent
    counted = sum(qdisc["drops"] for qdisc in leaves)
    checks = [
        check("queue_drops_packets", None, counted, drops, 0, counted == drops),
        check("queue_sent_packets", None, root["packets"], sent, 0, root["packets"] == sent),
    ]
    spec = experiment["gateway"]["downlink"]["queue"]
    if spec and leaves:
        limits = [qdisc["options"].get("limit") for qdisc in leaves]
        deepest = seen.deepest
        asked = spec["limit_packets"]
        # RED and CAKE count bytes; small packets let more than `limit` of them in.
        in_bytes = spec["discipline"] in ("red", "ared", "cake")
        ok = in_bytes or len(leaves) > 1 or deepest <= asked + 1
        checks.append(check("queue_limit_packets", asked, limits, deepest, 1, ok))
    return checks


def _rate(experiment: Experiment, seen: Tally, applied: list[Command], device: str) -> list[Check]:
    """The link's rate while it was busy: bits sent over the time that they took."""
    link = experiment["gateway"]["downlink"]
    shaped_below = experiment["gateway"]["shaping"]["method"] == "htbm"
    if len(link["rate_steps"]) != 1 or shaped_below:
        return []
    asked = link["rate_steps"][0][1]
    if seen.busy_packets < MIN_BUSY_PACKETS:
        return []
    measured = seen.busy_bytes * 8 / (seen.busy_ns / 1e9)
    tolerance = experiment["checks"]["rate_tolerance"]
    said = _said(applied, f"class add dev {device}")
    ok = abs(measured / asked - 1) <= tolerance
    return [check("downlink_rate_bps", asked, said, round(measured), tolerance, ok)]


def _losses(experiment: Experiment, events: list[EventRecord]) -> list[Check]:
    checks = []
    for begin in [event for event in events if event["event"] == "loss-begins"]:
        end = next(
            event
            for event in events
            if event["event"] == "loss-ends"
            and (event["on"], event["host"], event.get("path"))
            == (begin["on"], begin["host"], begin.get("path"))
            and event["t_s"] > begin["t_s"]
        )
        passed, lost = (end["counted"][key] - begin["counted"][key] for key in ("packets", "drops"))
        seen = passed + lost
        asked = begin["loss"]
        tolerance = 4 * math.sqrt(asked * (1 - asked) / max(seen, 1)) + 1 / max(seen, 1)
        measured = lost / seen if seen else None
        ok = measured is None or abs(measured - asked) <= tolerance + ROUNDING
        name = f"loss_{begin['on']}_at_{begin['t_s']:.3f}s"
        if "path" in begin:
            name += f"_{begin['path']}"
        if begin["host"].startswith(("client", "traffic")):
            name += f"_{begin['host']}"
        checks.append(check(name, asked, begin["applied"], measured, round(tolerance, 6), ok))
    return checks
