"""What changes on the links while an experiment runs, as timed tc commands. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NotRequired, TypedDict

from weir.paths import clients_on, outages, traffic_on
from weir.records import EventRecord
from weir.resolved import Experiment
from weir.resolved_network import Direction, Link

from weir_gateway import path, shaper
from weir_gateway.devices import WAN, edge, home, port, upstream

DIRECTIONS: tuple[Direction, ...] = ("downlink", "uplink")


class TimedEvent(EventRecord):
    """counters: tc's as JSON, until the lab has read them."""

    counters: NotRequired[str]


class Timed(TypedDict):
    """tc's lines to apply at `at_s`, and what is then said to have happened.

    count_before, count_after: the device whose queue's counters are taken then. program: where the
    lines are ip's.
    """

    at_s: float
    lines: list[str]
    program: NotRequired[Literal["ip"]]
    count_before: NotRequired[str]
    count_after: NotRequired[str]
    event: TimedEvent


def timed_commands(experiment: Experiment, host: str, number: int = 0) -> list[Timed]:
    """What is to be applied, in order of time, for "gateway", "server", each "client", "upstream".

    experiment: as path `number` alone knows it.
    """
    timed: list[Timed] = []
    for event in experiment["events"]:
        if "on" not in event or path.host_of(experiment, event["on"]) != host:
            continue
        start_s = event["at_s"]
        end_s = min(start_s + event["for_s"], experiment["duration_s"])
        if "rtt_s" in event:
            timed += [
                _rtt(experiment, number, event["on"], start_s, event["rtt_s"], "rtt-begins"),
                _rtt(experiment, number, event["on"], end_s, None, "rtt-ends"),
            ]
        else:
            timed += [
                _loss(experiment, number, event["on"], start_s, event["loss"], "loss-begins"),
                _loss(experiment, number, event["on"], end_s, None, "loss-ends"),
            ]
    for direction in DIRECTIONS:
        if path.host_of(experiment, direction) == host:
            timed += _conditions(experiment, number, direction)
    if host == "gateway":
        timed += _rates(experiment, number, "downlink") + _rates(experiment, number, "uplink")
        timed += _outages(experiment)
    second = experiment["gateway"].get("upstream")
    if host == "upstream" and second is not None:
        timed += _steps(second["link"], upstream(number), experiment)
    if name := experiment["gateway"].get("name"):
        for entry in timed:
            entry["event"]["path"] = name
    return sorted(timed, key=lambda entry: entry["at_s"])


def _loss(
    experiment: Experiment,
    number: int,
    on: Direction,
    at_s: float,
    loss: float | None,
    name: Literal["loss-begins", "loss-ends"],
) -> Timed:
    device = WAN if path.host_of(experiment, on) == "gateway" else edge(number)
    event: TimedEvent = {"t_s": at_s, "event": name, "on": on}
    if loss is not None:
        event["loss"] = loss
    timed: Timed = {
        "at_s": at_s,
        "lines": [
            f"qdisc change dev {device} root handle 20: {path.netem(experiment, on, loss)}"
            + ("" if loss or experiment["gateway"]["path"]["loss"][on] else " loss 0%")
        ],
        "event": event,
    }
    # Only packets that met this loss may be counted, and reading takes a while in which some pass.
    timed["count_after" if loss is not None else "count_before"] = device
    return timed


def _rtt(
    experiment: Experiment,
    number: int,
    on: Direction,
    at_s: float,
    rtt_s: float | None,
    name: Literal["rtt-begins", "rtt-ends"],
) -> Timed:
    asked = experiment["gateway"]["path"]["rtt"]["mean_s"] if rtt_s is None else rtt_s
    device = WAN if path.host_of(experiment, on) == "gateway" else edge(number)
    words = path.netem(experiment, on, rtt_s=asked)
    return {
        "at_s": at_s,
        "lines": [f"qdisc change dev {device} root handle 20: {words}"],
        "event": {"t_s": at_s, "event": name, "on": on, "rtt_s": asked},
    }


def _conditions(experiment: Experiment, number: int, on: Direction) -> list[Timed]:
    """What a trace of the path changes in this direction: delay in either, loss in the downlink."""
    behind = experiment["gateway"]["path"]
    if on == "uplink" and behind["rtt"]["on"] == "downlink":
        return []
    device = WAN if path.host_of(experiment, on) == "gateway" else edge(number)
    found: list[Timed] = []
    for at_s, rtt_s, loss in behind.get("conditions", []):
        event: TimedEvent = {"t_s": at_s, "event": "conditions", "on": on, "rtt_s": rtt_s}
        words = path.netem(experiment, on, loss if on == "downlink" else None, rtt_s)
        if on == "downlink":
            event["loss"] = loss
            words = f"{words}{'' if loss else ' loss 0%'}"
        line = f"qdisc change dev {device} root handle 20: {words}"
        found.append({"at_s": at_s, "lines": [line], "event": event})
    return found


def _outages(experiment: Experiment) -> list[Timed]:
    """A port that is down takes the carrier from the device at its other end."""
    clients = len(experiment["clients"])
    hosts = [*clients_on(experiment, 0), *(clients + flow for flow in traffic_on(experiment, 0))]
    ports = [port(number) for number in hosts]
    found: list[Timed] = []
    for outage in outages(experiment, 0):
        end_s = min(outage["at_s"] + outage["for_s"], experiment["duration_s"])
        found.append(_links(ports, "down", outage["at_s"], "outage-begins"))
        found.append(_links(ports, "up", end_s, "outage-ends"))
    return found


def _links(
    ports: list[str],
    to: Literal["down", "up"],
    at_s: float,
    name: Literal["outage-begins", "outage-ends"],
) -> Timed:
    return {
        "at_s": at_s,
        "lines": [f"link set dev {each} {to}" for each in ports],
        "program": "ip",
        "event": {"t_s": at_s, "event": name},
    }


def _rates(experiment: Experiment, number: int, direction: Direction) -> list[Timed]:
    link = experiment["gateway"][direction]
    if direction == "uplink":
        return _steps(link, WAN, experiment, on=direction)
    return _steps(link, home(number), experiment, shaper.has_sessions(experiment))


def _steps(
    link: Link,
    device: str,
    experiment: Experiment,
    with_sessions: bool = False,
    on: Direction = "downlink",
) -> list[Timed]:
    return [
        {
            "at_s": at_s,
            "lines": shaper.change_rate(device, rate_bps, with_sessions, experiment["clock"]),
            "event": {"t_s": at_s, "event": "rate", "on": on, "rate_bps": rate_bps},
        }
        for at_s, rate_bps in unrolled(link, experiment["duration_s"])
        if at_s > 0
    ]


def unrolled(link: Link, duration_s: float) -> Iterator[tuple[float, float]]:
    """(at_s, rate_bps) of each change before duration_s, loops unrolled, repeats left out."""
    period_s = link["rate_loop_s"]
    base_s, last = 0.0, None
    while base_s < duration_s and link["rate_steps"]:
        for at_s, rate_bps in link["rate_steps"]:
            if base_s + at_s < duration_s and rate_bps != last:
                yield base_s + at_s, rate_bps
                last = rate_bps
        if period_s is None:
            return
        base_s += period_s
