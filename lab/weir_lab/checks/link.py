"""A bottleneck's queue and rate: what was asked, tc's counters, the record. Pure."""

from __future__ import annotations

from typing import Any, Final

from weir.records import Check, Command
from weir.resolved import Experiment

from weir_lab.checks.row import check, lines
from weir_lab.tally import Tally

__all__ = ["queue", "rate"]

MIN_BUSY_PACKETS: Final = 500
"""Fewer back-to-back departures say too little about a link's rate."""


def queue(experiment: Experiment, seen: Tally, qdiscs: list[Any]) -> list[Check]:
    """The record against tc's counters, and the deepest queue against its limit, in packets."""
    leaves = [qdisc for qdisc in qdiscs if qdisc["kind"] != "htb"]
    (root,) = [qdisc for qdisc in qdiscs if qdisc.get("root")] or [{"packets": 0}]
    drops, sent = seen.dropped, seen.sent
    counted = sum(qdisc["drops"] for qdisc in leaves)
    checks = [
        check("queue_drops_packets", None, counted, drops, 0, counted == drops),
        check("queue_sent_packets", None, root["packets"], sent, 0, root["packets"] == sent),
    ]
    spec = experiment["gateway"]["downlink"]["queue"]
    if spec and leaves:
        limits = [qdisc["options"].get("limit") for qdisc in leaves]
        deepest = seen.deepest
        asked = spec["limit_packets"]
        # RED and CAKE count bytes; small packets let more than `limit` of them in.
        in_bytes = spec["discipline"] in ("red", "ared", "cake")
        ok = in_bytes or len(leaves) > 1 or deepest <= asked + 1
        checks.append(check("queue_limit_packets", asked, limits, deepest, 1, ok))
    return checks


def rate(experiment: Experiment, seen: Tally, applied: list[Command], device: str) -> list[Check]:
    """The link's rate while it was busy: bits sent over the time that they took."""
    link = experiment["gateway"]["downlink"]
    shaped_below = experiment["gateway"]["shaping"]["method"] == "htbm"
    if len(link["rate_steps"]) != 1 or shaped_below:
        return []
    asked = link["rate_steps"][0][1]
    if seen.busy_packets < MIN_BUSY_PACKETS:
        return []
    measured = seen.busy_bytes * 8 / (seen.busy_ns / 1e9)
    tolerance = experiment["checks"]["rate_tolerance"]
    said = lines(applied, f"class add dev {device}")
    ok = abs(measured / asked - 1) <= tolerance
    return [check("downlink_rate_bps", asked, said, round(measured), tolerance, ok)]
