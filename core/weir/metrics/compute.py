"""All metrics of a run."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

from weir.films import is_session
from weir.metrics import (
    bitrate,
    congestion,
    deadlines,
    estimates,
    fairness,
    infidelity,
    instability,
    latency,
    live,
    loss_phase,
    lost_segments,
    marks,
    network,
    off_periods,
    paths,
    qoe,
    rebuffering,
    restart,
    scenario,
    searched,
    switches,
    traffic,
    traffic_flows,
    transfers,
    upstream,
    validation,
    wire,
)
from weir.metrics.context import prepare
from weir.metrics.info import MetricInfo, Value
from weir.rundir.data import RunData

FORMAT = 1
_CLIENT = (
    instability,
    infidelity,
    congestion,
    off_periods,
    rebuffering,
    live,
    latency,
    bitrate,
    switches,
    qoe,
    restart,
    validation,
    estimates,
    deadlines,
    transfers,
    wire,
    marks,
)
_SESSION = (congestion, deadlines, transfers, wire, marks)
"""Families that say something of a session, which plays nothing."""
_RUN = (network, loss_phase, lost_segments, fairness, traffic, scenario, searched)

CATALOG: dict[str, MetricInfo] = {
    info.name: info for family in (*_CLIENT, *_RUN) for info in family.INFO
}
PARTS: tuple[MetricInfo, ...] = (*paths.INFO, *upstream.INFO, *traffic_flows.INFO)
"""Of single paths, of second bottlenecks and of other traffic's flows: what stands in metrics.json
alone."""


class Metrics(TypedDict):
    """What metrics.json holds. run: by name. clients: by name, "client" and "rank" beside them.

    switch_steps: by client, how often each signed level step occurs. paths: where they are named,
    of each its name and the path's PARTS. upstream: of each second bottleneck, where there are
    some. traffic: where there is any, of each flow its number, path and PARTS.
    """

    format: int
    run: dict[str, Value]
    clients: list[dict[str, Any]]
    switch_steps: list[dict[str, int]]
    paths: NotRequired[list[dict[str, Any]]]
    upstream: NotRequired[list[dict[str, Any]]]
    traffic: NotRequired[list[dict[str, Any]]]


def compute(data: RunData) -> Metrics:
    """All metrics of a run.

    Every name of CATALOG is present in its scope; None where it is not defined for this run or
    needs a record that was off. Floats are rounded to 9 significant digits.
    """
    context = prepare(data)
    run: dict[str, Value] = {}
    for run_family in _RUN:
        run.update(run_family.measure(context))
    clients: list[dict[str, Value]] = []
    for session, rank in zip(context.sessions, context.ranks, strict=True):
        entry: dict[str, Value] = {"client": session.client, "rank": rank}
        own_film = is_session(data.experiment, session.client)
        for family in _CLIENT:
            if own_film and family not in _SESSION:
                entry.update(dict.fromkeys(info.name for info in family.INFO))
            else:
                entry.update(family.measure(session, context))
        clients.append(_rounded(entry))
    found: Metrics = {
        "format": FORMAT,
        "run": _rounded(run),
        "clients": clients,
        "switch_steps": [switches.switch_steps(session) for session in context.sessions],
    }
    if parts := [_rounded(path) for path in paths.measure(context)]:
        found["paths"] = parts
    if parts := [_rounded(each) for each in upstream.measure(context)]:
        found["upstream"] = parts
    if parts := [_rounded(flow) for flow in traffic_flows.measure(context)]:
        found["traffic"] = parts
    return found


def _rounded(values: Mapping[str, str | Value]) -> dict[str, Any]:
    return {name: _round(value) for name, value in values.items()}


def _round(value: str | Value) -> str | Value:
    if not isinstance(value, float):
        return value
    return float(f"{value:.9g}") if math.isfinite(value) else None
