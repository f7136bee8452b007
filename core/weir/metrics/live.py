"""How far behind its making a live film is watched at last."""

from __future__ import annotations

import numpy as np

from weir.metrics import rebuffering
from weir.metrics.context import Context
from weir.metrics.info import MetricInfo, Value
from weir.metrics.session import Session

INFO = (
    MetricInfo(
        "live_latency_s",
        "s",
        "client",
        "DASH-IF live latency, at the end",
        "lower",
        "Live latency",
        f"startup_s + sum of the stalls in s, of {1000 * rebuffering.SHORTEST_STALL_S:g} ms and "
        "more; of a film of a live origin: session's end - when what is played then was made, in s",
    ),
)


def measure(session: Session, context: Context) -> dict[str, Value]:
    """Of a live client that pauses when its buffer is empty: startup and all stalls, which it never
    makes up for. What one that never pauses would skip at a given latency, `late_percent` tells.
    Of a live origin's film (latency.py) it is read off.
    """
    if (playback := session.playback) is not None:
        return {"live_latency_s": float(playback.latency_s(np.array([session.end_s]))[0])}
    experiment = context.data.experiment
    if not experiment["clients"][session.client - 1].get("live"):
        return {"live_latency_s": None}
    startup_s = rebuffering.startup_s(session, float(experiment["content"]["segment_s"]))
    if startup_s is None:
        return {"live_latency_s": None}
    return {"live_latency_s": startup_s + float(rebuffering.stalls_s(session).sum())}
