"""Curves of clients that watch a live film: how late, by what target, and how fast it plays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, cast

import numpy as np
from weir.metrics.playback import Playback, playback_of
from weir.records import EventRecord
from weir.resolved import Experiment
from weir.resolved_film import Live

from weir_orchestrator.recorded.curves import Curve, Window, drawn
from weir_orchestrator.recorded.files import RunFiles

__all__ = ["KINDS", "curves", "playbacks"]

KINDS: Final = {
    "latency": "s",
    "latency_target": "s",
    "latency_max": "s",
    "playback_rate": "",
}
"""Kind -> unit. latency_target, latency_max: what all players are told."""


def playbacks(files: RunFiles, experiment: Experiment) -> dict[int, Playback]:
    """Of a live film, by client, where some of it was played."""
    events = cast(list[EventRecord], files.lines("events.jsonl") or [])
    made_before_s = experiment["content"]["live"]["time_shift_buffer_s"]
    numbers = range(1, len(experiment["clients"]) + 1)
    found = {number: playback_of(events, number, made_before_s) for number in numbers}
    return {number: playback for number, playback in found.items() if playback is not None}


def curves(
    files: RunFiles, experiment: Experiment, kinds: set[str], window: Window
) -> Iterator[Curve]:
    """Those of KINDS that are asked for; none where the film is no live one."""
    if (live := experiment["content"].get("live")) is None:
        return
    yield from _told(live, experiment["duration_s"], kinds, window)
    if not kinds & {"latency", "playback_rate"}:
        return
    for client, playback in playbacks(files, experiment).items():
        if "latency" in kinds:
            t_s, values = playback.latency_curve(_recorded_until(files, client))
            yield drawn("latency", "s", "line", t_s, values, window, client=client)
        if "playback_rate" in kinds:
            moves = playback.speeds > 0  # in a stall the rate stays as it is set
            t_s, values = playback.times_s[moves], playback.speeds[moves]
            yield drawn("playback_rate", "", "step", t_s, values, window, client=client)


def _told(live: Live, duration_s: float, kinds: set[str], window: Window) -> Iterator[Curve]:
    told = {"latency_target": live["target_latency_s"], "latency_max": live["max_latency_s"]}
    for kind, value_s in told.items():
        if kind in kinds and value_s is not None:
            t_s, values = np.array([0.0, duration_s]), np.array([value_s, value_s])
            yield drawn(kind, "s", "step", t_s, values, window)


def _recorded_until(files: RunFiles, client: int) -> float:
    """A client's last byte: one that plays to the end asks for segments to the end."""
    rows = files.columns(f"players/client-{client}.parquet", ("last_byte_s",))
    return 0.0 if rows is None else float(rows["last_byte_s"].max(initial=0.0))
