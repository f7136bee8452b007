"""Of a film that is made while it is watched: latency, and what a player does about it."""

from __future__ import annotations

from typing import Final

import numpy as np

from weir.metrics.context import Context
from weir.metrics.info import MetricInfo, Value
from weir.metrics.playback import Playback
from weir.metrics.session import Session

EVERY_S: Final = 0.1
"""Between samples of the latency."""
SHORTEST_SKIP_S: Final = 0.01
"""Shorter ones are rounding: a picture lasts 40 ms."""
_ROUNDING: Final = 1e-6

_SAMPLES: Final = (
    f"samples every {1000 * EVERY_S:g} ms of the latency in s, from when playback began to the "
    "session's end"
)
INFO = (
    MetricInfo(
        "live_latency_mean_s",
        "s",
        "client",
        "DASH-IF live latency",
        "lower",
        "Mean live latency",
        f"mean of {_SAMPLES}",
    ),
    MetricInfo(
        "live_latency_p95_s",
        "s",
        "client",
        "DASH-IF live latency",
        "lower",
        "95th percentile of live latency",
        f"95th percentile of {_SAMPLES}",
    ),
    MetricInfo(
        "playback_rate_changes",
        "",
        "client",
        "weir.metrics.latency; after Bentaleb et al. 2022 (LoL+)",
        "lower",
        "Changes of the playback rate",
        "number of times that a playback rate follows another one, stalls between them not counted",
    ),
    MetricInfo(
        "playback_rate_off_percent",
        "%",
        "client",
        "weir.metrics.latency; after Bentaleb et al. 2022 (LoL+)",
        "lower",
        "Time at another playback rate than 1",
        "100 * time in s that playback moves at another rate than 1 / (session's end - when "
        "playback began)",
    ),
    MetricInfo(
        "skipped_s",
        "s",
        "client",
        "weir.metrics.latency",
        "lower",
        "Media skipped",
        "sum of the media in s that playback jumped over, in jumps of "
        f"{1000 * SHORTEST_SKIP_S:g} ms and more",
    ),
)


def measure(session: Session, context: Context) -> dict[str, Value]:
    """Of a client that played some of a live film; else nothing is defined."""
    playback = session.playback
    if playback is None or session.end_s <= playback.began_s:
        return dict.fromkeys(info.name for info in INFO)
    latency_s = playback.latency_s(np.arange(playback.began_s, session.end_s, EVERY_S))
    skips_s = playback.jumps_s[playback.jumps_s >= SHORTEST_SKIP_S]
    return {
        "live_latency_mean_s": float(latency_s.mean()),
        "live_latency_p95_s": float(np.percentile(latency_s, 95)),
        "playback_rate_changes": _changes(playback),
        "playback_rate_off_percent": _off_percent(playback, session.end_s),
        "skipped_s": float(skips_s.sum()),
    }


def _changes(playback: Playback) -> int:
    rates = playback.speeds[playback.speeds > 0]
    return int(np.count_nonzero(np.abs(np.diff(rates)) > _ROUNDING))


def _off_percent(playback: Playback, end_s: float) -> float:
    lasted_s = np.diff(np.append(playback.times_s, end_s))
    off = (playback.speeds > 0) & (np.abs(playback.speeds - 1) > _ROUNDING)
    return 100 * float(lasted_s[off].sum()) / (end_s - playback.began_s)
