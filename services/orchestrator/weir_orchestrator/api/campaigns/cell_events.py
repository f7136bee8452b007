"""What happens to the paths of a cell while it runs, as its author would tell it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import Final

from weir import resolved, resolved_network
from weir.paths import has_names, paths_of
from weir.resolved_network import Direction

from weir_orchestrator.api.campaigns.cell_schemas import CellEvent

__all__ = ["events_of"]

_MOST_STEPS: Final = 41
"""A rate of more steps is rather a trace than a rate with events."""


def events_of(experiment: resolved.Experiment) -> list[CellEvent]:
    """In order of time: what concerns both directions once, and rates that change for a while."""
    found = [*_both_ways(experiment["events"])]
    for path in paths_of(experiment):
        name = path["name"] if has_names(experiment) else None
        found += _rates(path["downlink"], "downlink", name)
        found += _rates(path["uplink"], "uplink", name)
    return sorted(found, key=lambda event: event.at_s)


def _both_ways(events: list[resolved_network.Event]) -> Iterator[CellEvent]:
    def apart_from_direction(event: resolved_network.Event) -> list[tuple[str, object]]:
        return sorted((key, value) for key, value in event.items() if key != "on")

    for _, equal in groupby(sorted(events, key=apart_from_direction), apart_from_direction):
        alike = list(equal)
        event = CellEvent.model_validate(alike[0])
        if len(alike) > 1 or event.rtt_s is not None:
            event.on = None
        if len(alike) > 1 and event.loss == 1:
            event.loss, event.down = None, "silent"
        yield event


def _rates(link: resolved_network.Link, on: Direction, path: str | None) -> Iterator[CellEvent]:
    """Steps away from the first rate, of a link that comes back to it: an event of a rate is
    resolved into these.
    """
    steps = link["rate_steps"]
    if link["rate_loop_s"] or not 2 < len(steps) <= _MOST_STEPS or steps[0][1] != steps[-1][1]:
        return
    for (at_s, rate_bps), (end_s, _) in pairwise(steps):
        if rate_bps != steps[0][1]:
            yield CellEvent(at_s=at_s, for_s=end_s - at_s, rate_bps=rate_bps, on=on, path=path)
