"""Events: rules for them, and their resolved form.

An event concerns one direction there: a silent outage is the loss of everything in both; one that
takes the carrier has none. One that changes a link's rate is resolved into steps of that rate, as
if they had been written.
"""

from __future__ import annotations

from collections.abc import Iterator

from weir import resolved_network
from weir.errors import Problem
from weir.spec.experiment import Event, Experiment
from weir.spec.links import NamedPath
from weir.spec.traces import Steps

__all__ = ["broken_rules", "resolve", "with_rates"]


def broken_rules(experiment: Experiment) -> Iterator[Problem]:
    """Every one that the events break; paths are relative to the experiment."""
    ends: dict[tuple[str | None, str], float] = {}
    order = sorted(range(len(experiment.events)), key=lambda i: experiment.events[i].at)
    for index in order:
        event = experiment.events[index]
        at = f"events.{index}"
        yield from _alone(at, event, experiment)
        if event.at >= experiment.duration:
            yield Problem(
                f"{at}.at",
                f"{event.at:g}s",
                f"before the end, {experiment.duration:g}s",
                "it would never happen; move it or raise duration",
            )
        for on in event.directions:
            where = event.path, on
            if event.at < ends.get(where, 0.0):
                yield Problem(
                    at,
                    f"{event.at:g}s on {on}",
                    f"from {ends[where]:g}s on",
                    "events in one direction cannot overlap; shorten the one before",
                )
            ends[where] = max(ends.get(where, 0.0), event.at + event.for_)


def _alone(at: str, event: Event, experiment: Experiment) -> Iterator[Problem]:
    if len(event.kinds) != 1:
        yield Problem(at, ", ".join(event.kinds) or None, "exactly one of loss, down, rate, rtt",
                      "write one event for each")  # fmt: skip
        return
    if event.on is not None and event.kinds[0] in ("down", "rtt"):
        yield Problem(f"{at}.on", event.on, "with loss and rate only",
                      f"{event.kinds[0]} concerns both directions; remove it")  # fmt: skip
    if event.down == "carrier" and experiment.clock == "real":
        yield Problem(f"{at}.down", event.down, "silent on the real clock",
                      "its hosts are linked without a carrier; set clock: virtual")  # fmt: skip
    path = _path_of(event, experiment)
    if path is None or event.down == "carrier":
        return
    if path.conditions is not None and event.rate is None:
        yield Problem(at, event.kinds[0], "where the path follows no trace of conditions",
                      "write it into the trace, or remove the trace")  # fmt: skip
    if event.rate is not None:
        link = path.uplink if event.on == "uplink" else path.downlink
        if not isinstance(link.rate, float):
            yield Problem(f"{at}.rate", f"{event.rate:g} bit/s", "on a link of constant rate",
                          "write the steps of its rate instead")  # fmt: skip
    if event.rtt is not None and event.rtt < path.rtt.stddev:
        yield Problem(f"{at}.rtt", f"{event.rtt:g}s", f"at least the jitter, {path.rtt.stddev:g}s",
                      "delays cannot be negative; raise it")  # fmt: skip


def _path_of(event: Event, experiment: Experiment) -> NamedPath | None:
    paths = experiment.gateway.every_path
    return paths.get("gateway" if event.path is None else f"gateway.paths.{event.path}")


def resolve(experiment: Experiment) -> list[resolved_network.Event]:
    """Those that are no change of a rate, in order of time."""
    found: list[resolved_network.Event] = []
    for event in sorted(experiment.events, key=lambda event: event.at):
        path = _path_of(event, experiment)
        if event.rate is not None or path is None:
            continue
        for one in _resolved(event, path):
            if event.path is not None:
                one["path"] = event.path
            found.append(one)
    return found


def _resolved(event: Event, path: NamedPath) -> Iterator[resolved_network.Event]:
    if event.down == "carrier":
        yield {"at_s": event.at, "for_s": event.for_, "down": "carrier"}
        return
    for on in event.directions:
        one: resolved_network.Event = {"at_s": event.at, "for_s": event.for_, "on": on}
        if event.rtt is None:
            yield {**one, "loss": 1.0 if event.loss is None else event.loss}
        elif path.rtt.on in (on, "split"):
            yield {**one, "rtt_s": event.rtt}


def with_rates(steps: Steps, at: str, experiment: Experiment) -> Steps:
    """The steps of the link that stands at `at`, with the rates that events give it for a while."""
    path, _, direction = at.rpartition(".")
    name = path.removeprefix("gateway").removeprefix(".paths.") or None
    asked = [
        event
        for event in experiment.events
        if event.rate is not None and (event.path, event.on or "downlink") == (name, direction)
    ]
    found = list(steps)
    for event in sorted(asked, key=lambda event: event.at):
        assert event.rate is not None
        if found[-1][0] == event.at:
            found.pop()
        found += [[event.at, event.rate], [event.at + event.for_, steps[0][1]]]
    return found
