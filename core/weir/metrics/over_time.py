"""What figures over time show of a client, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Final

import numpy as np

from weir.metrics.link import Floats
from weir.rundir.data import Columns, RunData

__all__ = ["TIME_VALUES", "Curve", "TimeValue"]

Curve = tuple[Floats, Floats]
"""Instants in s since the experiment began, rising; the value from each on."""


@dataclass(frozen=True)
class TimeValue:
    """of: a run and a client, from 1 -> its curves in `unit`; none where nothing is recorded.

    steps: a value holds until the next one; else it moves evenly towards it.
    """

    title: str
    unit: str
    of: Callable[[RunData, int], list[Curve]]
    steps: bool = True


def _received(data: RunData, client: int) -> list[Curve]:
    """Body bytes of all requests together, counted when their last byte came."""
    rows = data.players[client - 1]
    came_s, sizes = rows["last_byte_s"].astype(np.float64), rows["size_bytes"].astype(np.float64)
    order = np.argsort(came_s, kind="stable")
    begin_s = data.experiment["clients"][client - 1]["start_s"]
    times = np.append(begin_s, came_s[order])
    return [(times, np.append(0.0, np.cumsum(sizes[order])))]


def _due(data: RunData, client: int) -> list[Curve]:
    """Bytes whose deadline has passed: byte b is due at d_0 + 8 b / r (Claeys et al. 2016)."""
    mine = data.experiment["clients"][client - 1]
    deadlines = mine.get("deadlines")
    if deadlines is None:
        return []
    begin_s = mine["start_s"] + deadlines["after_s"]
    length_s = deadlines["length_s"]
    whole = deadlines["rate_bps"] * length_s / 8
    return [(np.array([begin_s, begin_s + length_s]), np.array([0.0, whole]))]


def _level(data: RunData, client: int) -> list[Curve]:
    rows = data.players[client - 1]
    return [(rows["request_s"].astype(np.float64), rows["level"].astype(np.float64))]


def _window(data: RunData, client: int) -> list[Curve]:
    """Of each connection at its ACKs."""
    return _of_each_flow(data, data.tcp, client, "cwnd")


def _of_each_flow(data: RunData, table: Columns | None, client: int, column: str) -> list[Curve]:
    """A column of a table whose rows are of flows, a curve per flow of the client's."""
    if table is None:
        return []
    own = [flow["flow"] for flow in data.flows if flow["client"] == client]
    at = [np.flatnonzero(table["flow"] == flow) for flow in own]
    times, values = table["t_ns"] / 1e9, table[column].astype(np.float64)
    return [(times[rows], values[rows]) for rows in at if len(rows)]


def _parameter(data: RunData, client: int, moved: str) -> list[Curve]:
    """alpha or beta as the deadlines of each connection have them, of a client that moves it."""
    told = data.experiment["clients"][client - 1].get("deadlines")
    if told is None or told["moves"] != moved:
        return []
    curves = _of_each_flow(data, data.deadlines, client, f"{moved}_milli")
    return [(times, values / 1000) for times, values in curves]


TIME_VALUES: Final[Mapping[str, TimeValue]] = MappingProxyType(
    {
        "received_bytes": TimeValue("Received", "bytes", _received),
        "due_bytes": TimeValue("Due", "bytes", _due, steps=False),
        "level": TimeValue("Level asked for", "", _level),
        "cwnd_segments": TimeValue("Congestion window", "segments", _window),
        "alpha": TimeValue("alpha", "", partial(_parameter, moved="alpha")),
        "beta": TimeValue("beta", "", partial(_parameter, moved="beta")),
    }
)
