"""A link carries no more than its rate, and its queue holds no more than its limit."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from weir.metrics.link import Link
from weir.rundir import RunData
from weir_gateway.shaper import LOWEST_RATE_BPS, burst_bytes

from weir_testing.swarm.held.bottlenecks import bottlenecks
from weir_testing.swarm.held.broken import Broken
from weir_testing.swarm.held.records import QUEUED, SENT

__all__ = ["carry_their_rate", "count_what_waits", "hold_their_limit"]

FRAME_BYTES = 1514
LATE_S = 0.002
"""How much later than asked a rate may change."""
ONE_QUEUE = {"drop-tail", "codel", "pie", "red", "ared"}
BY_PACKETS = {"drop-tail", "sfq", "codel", "fq-codel", "pie", "dualpi2"}


def carry_their_rate(data: RunData) -> Iterator[Broken]:
    """Between any two departures: what the rate gives for that time, and a burst."""
    for one in bottlenecks(data):
        # Nobody changes the rate any longer after the end, while what is left drains.
        end_ns = data.experiment["duration_s"] * 1e9
        sent = (one.packets["fate"] == SENT) & (one.packets["departure_ns"] < end_ns)
        if not sent.any() or not one.link["rate_steps"]:
            continue
        order = np.argsort(one.packets["departure_ns"][sent], kind="stable")
        left_s = one.packets["departure_ns"][sent][order] / 1e9
        bits = np.cumsum(one.packets["size"][sent][order].astype(np.float64)) * 8
        steps = [[at, max(rate, LOWEST_RATE_BPS)] for at, rate in one.link["rate_steps"]]
        ahead = bits - Link(steps, one.link["rate_loop_s"]).bits_until(left_s)
        lowest = np.minimum.accumulate(np.concatenate([[0.0], ahead[:-1]]))
        most_bps = max(rate for _, rate in steps)
        burst_bits = 8 * burst_bytes(most_bps)
        # With HTBM each session, and what is of none, has a burst of its own.
        bursts = 2 + len(data.experiment["clients"]) if one.shaped else 1
        may = bursts * burst_bits + 2 * 8 * FRAME_BYTES + most_bps * LATE_S
        worst = int(np.argmax(ahead - lowest))
        if (ahead - lowest)[worst] > may:
            yield Broken(
                "a link carries at most its rate",
                f"{one.name}: {(ahead - lowest)[worst]:.0f} bit more at {left_s[worst]:.4f} s,"
                f" at most {may:.0f}",
            )


def hold_their_limit(data: RunData) -> Iterator[Broken]:
    """Where the limit counts packets: none is let in that finds as many."""
    for one in bottlenecks(data):
        queue = one.link["queue"]
        if queue is None or queue["discipline"] not in BY_PACKETS or not len(one.packets["fate"]):
            continue
        # With HTBM each session, and what is of none, has a queue of its own.
        queues = 1 + len(data.experiment["clients"]) if one.shaped else 1
        most, limit = int(one.packets["backlog"].max()), queues * queue["limit_packets"]
        if most > limit:
            yield Broken(
                "a queue holds at most its limit",
                f"{one.name} {queue['discipline']}: {most} of {limit}",
            )


def count_what_waits(data: RunData) -> Iterator[Broken]:
    """What a packet finds in a queue are those that came before and have not left."""
    for one in bottlenecks(data):
        queue = one.link["queue"]
        if queue is None or queue["discipline"] not in ONE_QUEUE or one.shaped:
            continue
        arrived, left = one.packets["arrival_ns"], one.packets["departure_ns"].copy()
        left[one.packets["fate"] == QUEUED] = np.iinfo(np.int64).max
        rows = np.arange(len(arrived))
        gone_before = np.searchsorted(np.sort(left), arrived, side="left")
        gone_by = np.searchsorted(np.sort(left), arrived, side="right")
        found = one.packets["backlog"].astype(np.int64)
        # What leaves in the very nanosecond may count or not.
        wrong = (found > rows - gone_before) | (found < rows - gone_by)
        if wrong.any():
            first = int(np.argmax(wrong))
            yield Broken(
                "a queue's backlog is what has not left",
                f"{one.name} {queue['discipline']}: {int(wrong.sum())} of {len(rows)} rows, first"
                f" {first} at {arrived[first] / 1e9:.6f} s: {found[first]}, not"
                f" {rows[first] - gone_before[first]}",
            )
