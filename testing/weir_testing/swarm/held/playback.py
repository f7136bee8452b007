"""What came into a buffer has been played or is still there; and players move on after faults."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from weir.resolved import Client, Experiment
from weir.rundir import Columns, RunData

from weir_testing.swarm.held.broken import Broken

__all__ = ["adds_up", "moves_on"]

WHOLE = (200, 206)
CLOSE_S = 1e-5
PATIENCE_S = 8.0
"""A timer that an outage has doubled until it fires, and a lowest level on a slow link."""


def _viewers(data: RunData) -> Iterator[tuple[int, Client, Columns]]:
    """Players of the one film, by their number: no sessions."""
    for number, (client, rows) in enumerate(
        zip(data.experiment["clients"], data.players, strict=True), 1
    ):
        if "film" not in client:
            yield number, client, rows


def adds_up(data: RunData) -> Iterator[Broken]:
    """Media that came = played + buffered, at each segment's last byte; played = time - stalls."""
    segment_s = data.experiment["content"]["segment_s"]
    for number, client, rows in _viewers(data):
        whole = np.isin(rows["status"], WHOLE)
        if client["in_flight"] > 1 or not whole.any():
            continue
        came_s = np.cumsum(whole) * segment_s
        started = np.flatnonzero(came_s >= max(client["options"].get("startup_s", 0), segment_s))
        if not len(started):
            continue
        first = int(started[0])
        stalled_s = np.cumsum(rows["stall_s"])
        played_s = rows["last_byte_s"] - rows["last_byte_s"][first]
        played_s -= stalled_s - stalled_s[first]
        wrong_s = np.abs(came_s - played_s - rows["buffer_after_s"])[first:][whole[first:]]
        if (worst_s := float(wrong_s.max())) > CLOSE_S:
            at = first + int(np.argmax(wrong_s))
            yield Broken("a buffer adds up", f"client {number}, row {at}: {worst_s:.6f} s")


def moves_on(data: RunData) -> Iterator[Broken]:
    """After the last fault each player gets a segment, has its film, or has its buffer full."""
    experiment = data.experiment
    fault_s, lasted_s = _last_fault(experiment)
    for number, client, rows in _viewers(data):
        begin_s = max(fault_s, client["start_s"])
        end_s = min(client["stop_s"] or np.inf, experiment["duration_s"])
        segments = experiment["content"]["segments"]
        segment_s = experiment["content"]["segment_s"]
        whole = np.isin(rows["status"], WHOLE)
        if end_s - begin_s < PATIENCE_S + 2 * lasted_s + 2 * segment_s:
            continue
        if segments is not None and int(whole.sum()) >= segments:
            continue
        last_s = float(rows["last_byte_s"][whole].max(initial=-np.inf))
        if last_s > begin_s or _full(client, rows, whole, end_s, segment_s):
            continue
        yield Broken(
            "players move on after the last fault",
            f"client {number}: fault until {fault_s:.1f} s, last segment at {last_s:.1f}",
        )


def _last_fault(experiment: Experiment) -> tuple[float, float]:
    """When it ends, and how long it lasted."""
    ends = [(event["at_s"] + event["for_s"], event["for_s"]) for event in experiment["events"]]
    return max(ends, default=(0.0, 0.0))


def _full(
    client: Client, rows: Columns, whole: NDArray[np.bool_], end_s: float, segment_s: float
) -> bool:
    if not whole.any():
        return False
    last = int(np.flatnonzero(whole)[-1])
    left_s = rows["buffer_after_s"][last] - (end_s - rows["last_byte_s"][last])
    return bool(left_s > client["buffer_s"] - 2 * segment_s)
