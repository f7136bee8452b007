"""A run's records in memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from weir.records import Check, EventRecord, FlowRecord
from weir.resolved import Experiment

Columns = dict[str, NDArray[Any]]
"""A table: equally long one-dimensional arrays by column name."""


@dataclass
class RunData:
    """What one run recorded; columns and units are those of weir.rundir.schemas.

    A record that was off is None. A record that was on and saw nothing has arrays of length 0.
    """

    experiment: Experiment
    players: list[Columns]
    """one table per client, client 1 first; a row per segment"""
    tcp: Columns | None = None
    """a row per ACK at the server, in order of time"""
    retransmits: Columns | None = None
    """a row per retransmitted segment, in order of time"""
    queue: Columns | None = None
    """a row per packet at the bottleneck, in order of arrival"""
    queue_10ms: Columns | None = None
    """a row per 10 ms in which the bottleneck saw a packet; rows of zeros are allowed"""
    flows: list[FlowRecord] = field(default_factory=list)
    events: list[EventRecord] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    upstream: Columns | None = None
    """as queue, at the second bottlenecks, where there are some"""
    upstream_10ms: Columns | None = None
    """as queue_10ms"""
    tcp_seconds: Columns | None = None
    """a row per second and flow at the server, in place of tcp and retransmits"""
    queue_seconds: Columns | None = None
    """a row per second and flow at the bottleneck, in place of queue"""
    upstream_seconds: Columns | None = None
    """as queue_seconds, at the second bottlenecks"""
    deadlines: Columns | None = None
    """a row per decision of a deadline-aware sender, in order of time; None where there is none"""
