"""What came into a buffer has been played or is still there; and players move on after faults."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from weir.paths import paths_of
from weir.programs import is_program
from weir.resolved import Client, Experiment
from weir.rundir import Columns, RunData

from weir_testing.swarm.held.broken import Broken
from weir_testing.swarm.held.records import SENT

__all__ = ["adds_up", "moves_on"]

WHOLE = (200, 206)
CLOSE_S = 1e-5
FRAME_S = 0.04
"""dash.js tells the time that its video element shows, of a film of 25 frames a second."""
PATIENCE_S = 8.0
"""A timer that an outage has doubled until it fires."""


def _viewers(data: RunData) -> Iterator[tuple[int, Client, Columns]]:
    """Players of the one film, by their number: no sessions."""
    for number, (client, rows) in enumerate(
        zip(data.experiment["clients"], data.players, strict=True), 1
    ):
        if "film" not in client:
            yield number, client, rows


def adds_up(data: RunData) -> Iterator[Broken]:
    """Media that came = played + buffered, at each segment's last byte; played = time - stalls.

    Of dash.js no more than that is buffered: it puts segments of a higher level in others' place.
    """
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
        above_s = (rows["buffer_after_s"] - (came_s - played_s))[first:][whole[first:]]
        replaces = is_program(client)
        wrong_s = above_s if replaces else np.abs(above_s)
        if (worst_s := float(wrong_s.max())) > (FRAME_S if replaces else CLOSE_S):
            at = first + int(np.argmax(wrong_s))
            yield Broken("a buffer adds up", f"client {number}, row {at}: {worst_s:.6f} s")


def moves_on(data: RunData) -> Iterator[Broken]:
    """After the last fault film comes to each player, or it has its film, or its buffer is full."""
    experiment = data.experiment
    assert data.queue is not None
    fault_s, lasted_s = _last_fault(experiment)
    for number, client, rows in _viewers(data):
        begin_s = max(fault_s, client["start_s"])
        end_s = min(client["stop_s"] or np.inf, experiment["duration_s"])
        segments = experiment["content"]["segments"]
        whole = np.isin(rows["status"], WHOLE)
        done = segments is not None and int(whole.sum()) >= segments
        if end_s - begin_s < PATIENCE_S + 2 * lasted_s or done or _drowns(experiment, client):
            continue
        flows = [flow["flow"] for flow in data.flows if flow["client"] == number]
        film = (data.queue["fate"] == SENT) & (data.queue["payload"] > 0)
        film &= np.isin(data.queue["flow"], flows) & (data.queue["departure_ns"] < end_s * 1e9)
        last_s = float(data.queue["departure_ns"][film].max(initial=-1)) / 1e9
        if last_s <= begin_s and not _full(client, rows, whole, experiment):
            yield Broken(
                "players move on after the last fault",
                f"client {number}: fault until {fault_s:.1f} s, last of film at {last_s:.1f}",
            )


def _drowns(experiment: Experiment, client: Client) -> bool:
    """Whether datagrams, which give way to nobody, fill a link of its paths: SYNs are lost, too."""
    for path in paths_of(experiment):
        if path["name"] not in client.get("paths", [""]):
            continue
        flows = [
            one for one in experiment.get("traffic", []) if one.get("path", "") == path["name"]
        ]
        for direction in ("downlink", "uplink"):
            steps = path[direction]["rate_steps"]
            if direction == "downlink" and "upstream" in path:
                steps = [*steps, *path["upstream"]["link"]["rate_steps"]]
            asked_bps = sum(
                one.get("rate_bps", 0) for one in flows if one["direction"] == direction
            )
            if steps and asked_bps >= min(rate_bps for _, rate_bps in steps):
                return True
    return False


def _last_fault(experiment: Experiment) -> tuple[float, float]:
    """When it ends, and how long it lasted."""
    ends = [(event["at_s"] + event["for_s"], event["for_s"]) for event in experiment["events"]]
    return max(ends, default=(0.0, 0.0))


def _full(client: Client, rows: Columns, whole: NDArray[np.bool_], experiment: Experiment) -> bool:
    """Whether what it has is enough to ask for nothing until the end."""
    if not whole.any():
        return False
    last = int(np.flatnonzero(whole)[-1])
    left_s = rows["buffer_after_s"][last] - (experiment["duration_s"] - rows["last_byte_s"][last])
    return bool(left_s > client["buffer_s"] - 2 * experiment["content"]["segment_s"])
