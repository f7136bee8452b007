"""Requests and responses in a cell: what is drawn, what came, was it as asked. Pure."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from weir.draws import draw
from weir.records import Check, EventRecord
from weir.resolved import Traffic

__all__ = ["Came", "Drawn", "checks", "drawn", "events", "left_by"]

THINK_TOLERANCE_S = 1e-3
Came = tuple[float, float, int]
"""A response as who asked saw it: asked and last byte, in s since second 0, and its bytes."""
Drawn = list[tuple[int, float]]
"""(bytes, s to think afterwards) of each response."""


def drawn(flow: Traffic, seed: int) -> Drawn:
    """Of this flow: as many as there would be if each came at once, which is the most."""
    uniform, thought_s = Random(seed).random, 0.0
    found: Drawn = []
    while thought_s < flow["stop_s"] - flow["start_s"]:
        size = max(1, round(draw(flow["size_bytes"], uniform())))
        found.append((size, draw(flow["think_s"], uniform())))
        thought_s += found[-1][1]
    return found


def left_by(number: int) -> str:
    """Name of what who asks of this flow leaves: a list of Came."""
    return f"traffic-{number}-responses"


def events(came: dict[int, list[Came]]) -> list[EventRecord]:
    """A line of events.jsonl for each response. came: by the flow's number."""
    return [
        {
            "t_s": last_s,
            "event": "response",
            "traffic": number,
            "requested_s": asked_s,
            "size_bytes": size,
        }
        for number, each in came.items()
        for asked_s, last_s, size in each
    ]


def checks(asked: dict[int, Drawn], came: dict[int, list[Came]]) -> list[Check]:
    """Of each flow: the bytes of the responses that came whole, and the mean pause after them.

    Both by the flow's number. Where nothing came, nothing is known: the path may have been down.
    """
    found: list[Check] = []
    for number, each in came.items():
        wanted = asked[number][: len(each)]
        sizes = sum(size for size, _ in wanted), sum(size for _, _, size in each)
        found.append(_check(f"traffic_{number}_response_bytes", *sizes, 0))
        pauses = [after[0] - before[1] for before, after in pairwise(each)]
        if pauses:
            thought_s = sum(think_s for _, think_s in wanted[: len(pauses)]) / len(pauses)
            mean_s = sum(pauses) / len(pauses)
            found.append(_check(f"traffic_{number}_think_s", thought_s, mean_s, THINK_TOLERANCE_S))
    return found


def _check(name: str, asked: float, measured: float, tolerance: float) -> Check:
    return {
        "name": name,
        "asked": round(asked, 6),
        "applied": [],
        "measured": round(measured, 6),
        "tolerance": tolerance,
        "ok": abs(measured - asked) <= tolerance,
    }
