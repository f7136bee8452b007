"""Nothing is faster than its path, and no byte comes that did not pass the bottleneck."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from weir.paths import idle_rtt_s, paths_of
from weir.resolved import Experiment
from weir.rundir import Columns, RunData

from weir_testing.swarm.held.broken import Broken
from weir_testing.swarm.held.records import SENT

__all__ = ["carries_what_came", "takes_its_round_trip"]

SIGMAS = 6
"""netem's tables of jitter end before."""
TICK_S = 0.001
UP = {"uplink": 1.0, "downlink": 0.0, "split": 0.5}
"""The part of a path's delay that is on the way to the server."""


def _least_s(experiment: Experiment) -> dict[str, dict[str, float]]:
    """The shortest way up and down each path, by its name; events are drawn to lengthen it only."""
    least_s = {}
    for path in paths_of(experiment):
        behind = path["path"]
        rtt = behind["rtt"]
        shortest_s = min((row[1] for row in behind.get("conditions", [])), default=rtt["mean_s"])
        share = {"up": UP[rtt["on"]], "down": 1 - UP[rtt["on"]]}
        least_s[path["name"]] = {
            way: part * shortest_s - SIGMAS * rtt["stddev_s"] * part**0.5
            for way, part in share.items()
        }
        least_s[path["name"]]["up"] += idle_rtt_s(path) - rtt["mean_s"]
    return least_s


def takes_its_round_trip(data: RunData) -> Iterator[Broken]:
    """Smoothed round trips at the server, and a player's wait for the first byte."""
    least_s = _least_s(data.experiment)
    assert data.tcp is not None
    for flow in data.flows:
        own = (data.tcp["flow"] == flow["flow"]) & (data.tcp["srtt_us"] > 0)
        at_least_s = sum(least_s[flow.get("path", "")].values()) - TICK_S
        if own.any() and (found_s := data.tcp["srtt_us"][own].min() / 1e6) < at_least_s:
            yield Broken("a round trip is at least the path's", f"flow {flow['flow']}: {found_s}")
    for number, (client, rows) in enumerate(
        zip(data.experiment["clients"], data.players, strict=True), 1
    ):
        if "film" in client or client["in_flight"] > 1:
            continue
        waited_s = rows["first_byte_s"] - rows["request_s"]
        # MPTCP may ask over one path and have the answer over another.
        used = [least_s[name] for name in client.get("paths", [""])]
        at_least_s = sum(min(each[way] for each in used) for way in ("up", "down"))
        if len(waited_s) and np.nanmin(waited_s, initial=np.inf) < at_least_s - 1e-6:
            yield Broken(
                "a response takes a round trip at least",
                f"client {number}: {np.nanmin(waited_s):.6f} s",
            )


def carries_what_came(data: RunData) -> Iterator[Broken]:
    """Bodies at a client, against distinct payload that left the bottleneck towards it."""
    assert data.queue is not None
    for number, rows in enumerate(data.players, 1):
        flows = [flow["flow"] for flow in data.flows if flow["client"] == number]
        passed = sum(_distinct_bytes(data.queue, flow) for flow in flows)
        if (came := int(rows["size_bytes"].sum())) > passed:
            yield Broken(
                "what came has passed the bottleneck", f"client {number}: {came} of {passed} bytes"
            )


def _distinct_bytes(packets: Columns, flow: int) -> int:
    """Length of the union of the sequence ranges that were sent on."""
    own = (packets["flow"] == flow) & (packets["fate"] == SENT) & (packets["payload"] > 0)
    if not own.any():
        return 0
    sequence = packets["seq"][own].astype(np.int64)
    start = ((sequence - sequence[0] + (1 << 31)) % (1 << 32)) - (1 << 31)
    order = np.argsort(start, kind="stable")
    start, end = start[order], (start + packets["payload"][own])[order]
    covered = np.maximum.accumulate(end)
    begin = np.maximum(start[1:], covered[:-1])
    return int(end[0] - start[0] + np.maximum(covered[1:] - begin, 0).sum())
