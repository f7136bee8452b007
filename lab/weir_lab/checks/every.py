"""Every check of a run, path by path. Pure."""

from __future__ import annotations

import json

from weir.paths import alone, before_gateway, has_names, with_upstream
from weir.recording import sums_packets
from weir.records import Check, Command, EventRecord
from weir.resolved import Experiment
from weir.rundir import Columns
from weir_gateway import devices

from weir_lab import tally
from weir_lab.checks import link, transport
from weir_lab.checks.idle_path import idle_rtts, named, of_path
from weir_lab.checks.loss import losses
from weir_lab.record import Record
from weir_lab.tally import Tally

__all__ = ["all_checks"]


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
        checks += transport.of_connections(experiment, record, applied)
    if experiment["record"]["queue"] != "off":
        for number, one in paths:
            # Of the only bottleneck it is the whole record, which may be too large for a copy.
            alone_there = len(counters) == 1 and not has_names(experiment)
            seen = _tally(experiment, record, None if alone_there else number)
            checks += named(one, link.queue(one, seen, json.loads(counters[number])))
            said = of_path(one, number, applied)
            checks += named(one, link.rate(one, seen, said, devices.home(number)))
        for number, counted in zip(routers, counters[len(paths) :], strict=True):
            one = before_gateway(experiment, number)
            digit = devices.FIRST_UPSTREAM + number
            seen, device = _tally(experiment, record, digit), devices.upstream(number)
            said = [line for line in applied if line["host"] == devices.upstream_host(number)]
            found = link.queue(one, seen, json.loads(counted))
            found += link.rate(one, seen, said, device)
            checks += named(one, [{**each, "name": _before(each["name"])} for each in found])
    return checks + losses(events)


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
