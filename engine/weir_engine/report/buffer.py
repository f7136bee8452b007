"""The playback buffer of a player over time."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from weir.metrics.playback import Playback
from weir.rundir import Columns
from weir_client.player import WHOLE

__all__ = ["BUFFER_COLUMNS", "buffer_curve", "live_buffer_curve"]

BUFFER_COLUMNS: Final = (
    "request_s", "last_byte_s", "buffer_before_s", "buffer_after_s", "stall_s", "status",
)  # fmt: skip

Floats = NDArray[np.float64]


def buffer_curve(rows: Columns, segment_s: float) -> tuple[Floats, Floats]:
    """Times and levels, both in s, of the corners between which the buffer changes linearly.

    rows: BUFFER_COLUMNS of a player. A buffer drains at speed 1 to 0, where a stall begins that
    lasts to the segment's last byte; then the segment is added at once (services/client's
    PlaybackBuffer). Rows of players that tell no buffer have NaN.
    """
    request, last, before, after, stalled = (
        np.asarray(rows[name], dtype=np.float64) for name in BUFFER_COLUMNS[:-1]
    )
    added = np.where(rows["status"] == WHOLE, segment_s, 0.0)
    arrives = np.clip(after - added, 0.0, np.maximum(before, 0.0))
    begins = last - stalled
    corners = (
        # A stall may begin before the request: nothing drains then, and it is at `before` already.
        (np.minimum(request, begins), before),
        (np.maximum(request, begins), arrives),
        (last, arrives),
        (last, after),
    )
    t = np.column_stack([at for at, _ in corners]).ravel()
    y = np.column_stack([level for _, level in corners]).ravel()
    again = np.zeros(len(t), dtype=bool)
    again[1:] = (t[1:] == t[:-1]) & (y[1:] == y[:-1])
    return t[~again], y[~again]


def live_buffer_curve(rows: Columns, playback: Playback | None) -> tuple[Floats, Floats]:
    """The same of a live film, whose segments come in chunks: times and levels, both in s, where
    they are known, which is at requests, at last bytes and at each change of playback. When a chunk
    came in between is not recorded. playback: None where nothing was played.
    """
    moments = [rows["last_byte_s"], rows["request_s"]]
    levels = [rows["buffer_after_s"], rows["buffer_before_s"]]
    if playback is not None:
        moments.append(playback.times_s)
        levels.append(playback.buffers_s)
    t, y = np.concatenate(moments), np.concatenate(levels)
    order = np.argsort(t, kind="stable")
    return t[order], y[order]
