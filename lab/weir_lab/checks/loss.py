"""Loss that an event begins, and another ends. Pure."""

from __future__ import annotations

import math
from typing import Final

from weir.records import Check, EventRecord

from weir_lab.checks.row import check

__all__ = ["losses"]

ROUNDING: Final = 1e-9


def losses(events: list[EventRecord]) -> list[Check]:
    """The share of packets that was lost between both, within 4 standard errors."""
    checks = []
    for begin in [event for event in events if event["event"] == "loss-begins"]:
        end = next(
            event
            for event in events
            if event["event"] == "loss-ends"
            and (event["on"], event["host"], event.get("path"))
            == (begin["on"], begin["host"], begin.get("path"))
            and event["t_s"] > begin["t_s"]
        )
        passed, lost = (end["counted"][key] - begin["counted"][key] for key in ("packets", "drops"))
        seen = passed + lost
        asked = begin["loss"]
        tolerance = 4 * math.sqrt(asked * (1 - asked) / max(seen, 1)) + 1 / max(seen, 1)
        measured = lost / seen if seen else None
        ok = measured is None or abs(measured - asked) <= tolerance + ROUNDING
        name = f"loss_{begin['on']}_at_{begin['t_s']:.3f}s"
        if "path" in begin:
            name += f"_{begin['path']}"
        if begin["host"].startswith(("client", "traffic")):
            name += f"_{begin['host']}"
        checks.append(check(name, asked, begin["applied"], measured, round(tolerance, 6), ok))
    return checks
