"""Curves of the players: quality, buffer, throughput, stalls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from weir.metrics.playback import Playback
from weir.resolved import Experiment
from weir.rundir import Columns
from weir_engine.report.buffer import BUFFER_COLUMNS, buffer_curve, live_buffer_curve

from weir_orchestrator.recorded.curves import Curve, Window, drawn, marked
from weir_orchestrator.recorded.files import RunFiles
from weir_orchestrator.recorded.playback import playbacks

__all__ = ["KINDS", "curves"]

KINDS: Final = {
    "level": ("", ("request_s", "level")),
    "segment": ("", ("request_s", "segment")),
    "arrived": ("", ("last_byte_s", "segment")),
    "bitrate": ("bit/s", ("request_s", "bitrate_bps")),
    "buffer": ("s", BUFFER_COLUMNS),
    "throughput": ("bit/s", ("last_byte_s", "raw_bps")),
    "estimate": ("bit/s", ("request_s", "estimate_bps")),
    "stalls": ("s", ("last_byte_s", "stall_s")),
}
"""Kind -> unit and the columns it is made of. segment, arrived: at each one's request and end."""

_OF_PLAYBACK: Final = {"buffer", "stalls"}
"""Of a live film, whose segments are played before they have come whole, its playback tells."""

_STEPS: Final = {
    "level": "level",
    "segment": "segment",
    "bitrate": "bitrate_bps",
    "estimate": "estimate_bps",
}


def curves(
    files: RunFiles, experiment: Experiment, kinds: set[str], window: Window
) -> Iterator[Curve]:
    """Of each client, those of KINDS that are asked for."""
    columns = {column for kind in kinds for column in KINDS[kind][1]}
    is_live = "live" in experiment["content"]
    played = playbacks(files, experiment) if is_live and kinds & _OF_PLAYBACK else {}
    segment_s = float(experiment["content"]["segment_s"])
    for client in range(1, len(experiment["clients"]) + 1):
        rows = files.columns(f"players/client-{client}.parquet", sorted(columns))
        if rows is None:
            continue
        for kind in KINDS:
            if kind in kinds & _OF_PLAYBACK and is_live:
                yield _live_curve(kind, rows, window, client, played.get(client))
            elif kind in kinds:
                yield _curve(kind, rows, window, client, segment_s)


def _live_curve(
    kind: str, rows: Columns, window: Window, client: int, playback: Playback | None
) -> Curve:
    """One of _OF_PLAYBACK. playback: None while nothing of it is known."""
    if kind == "buffer":
        t_s, values = live_buffer_curve(rows, playback)
        return drawn(kind, "s", "line", t_s, values, window, client=client)
    ends_s = rows["last_byte_s"]
    if playback is None:
        return marked(kind, "s", ends_s[:0], ends_s[:0], window, client=client)
    t_s, values = playback.stalls_s(float(ends_s.max(initial=0.0)))
    return marked(kind, "s", t_s, values, window, client=client)


def _curve(kind: str, rows: Columns, window: Window, client: int, segment_s: float) -> Curve:
    unit = KINDS[kind][0]
    if kind in _STEPS:
        t_s, values = rows["request_s"], rows[_STEPS[kind]]
        return drawn(kind, unit, "step", t_s, values, window, client=client)
    if kind == "arrived":
        order = np.argsort(rows["last_byte_s"], kind="stable")
        t_s, values = rows["last_byte_s"][order], rows["segment"][order]
        return drawn(kind, unit, "step", t_s, values, window, client=client)
    if kind == "throughput":
        t_s, values = rows["last_byte_s"], rows["raw_bps"]
        return drawn(kind, unit, "step", t_s, values, window, client=client)
    if kind == "buffer":
        t_s, values = buffer_curve(rows, segment_s)
        return drawn(kind, unit, "line", t_s, values, window, client=client)
    stalled = rows["stall_s"] > 0
    t_s, values = rows["last_byte_s"][stalled], rows["stall_s"][stalled]
    return marked(kind, unit, t_s, values, window, client=client)
