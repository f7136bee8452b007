"""The throughput average of dash.js 4.0.1.

Source: dash.js 4.0.1 ThroughputHistory, with its default sliding window.
A sample is bytes * 8 / (first byte to last byte) in whole kbit/s and whole milliseconds; the
latency is (request to first byte). Of the last 20 samples, the average takes the newest 4, and one
more for each two neighbours among those it takes that differ by a factor of 1.3 or more. Downloads
below 50 ms might be a cache's: they are left out, unless there are only such. What a bitrate may be
is lowered by the share of a segment's duration that the mean of the last 4 latencies takes.
"""

from __future__ import annotations

from math import floor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weir_client.state import Download, State

KEPT = 20
SAMPLES = 4
WIDENS = 1.3
CACHE_MS = 50


def sample_of(download: Download) -> tuple[int, int, int]:
    """Throughput (kbit/s), download time (ms) and latency (ms) as a browser's clock shows them."""
    request_ms, first_ms, last_ms = (
        floor(at_s * 1000 + 1e-6)
        for at_s in (download.request_s, download.first_byte_s, download.last_byte_s)
    )
    took_ms = last_ms - first_ms or 1
    return floor(8 * download.bytes / took_ms + 0.5), took_ms, first_ms - request_ms or 1


def window(samples: list[int]) -> list[int]:
    """Those of the samples that the average takes."""
    size = min(SAMPLES, len(samples))
    newest = 1
    while newest < size < len(samples):
        ratio = samples[-newest] / samples[-newest - 1]
        if ratio >= WIDENS or ratio <= 1 / WIDENS:
            size += 1
        newest += 1
    return samples[-size:]


class ThroughputHistory:
    """What dash.js 4.0.1 believes about the network, fed from state.history."""

    def __init__(self) -> None:
        self._samples: list[int] = []
        self._latencies: list[int] = []
        self._from_cache = False
        self._seen = 0

    def update(self, state: State) -> None:
        """Take in the downloads since the last call."""
        for download in state.history[self._seen :]:
            self._push(*sample_of(download))
        self._seen = len(state.history)

    def average_bps(self) -> float | None:
        """The average without a safety factor; None before the first sample."""
        taken = window(self._samples)
        return sum(taken) / len(taken) * 1000 if taken else None

    def usable_bps(self, bps: float, segment_s: float) -> float:
        """What of a rate is left for segments, since each also waits for its first byte."""
        if not self._latencies:
            return bps
        latencies = self._latencies[-SAMPLES:]
        latency_s = sum(latencies) / len(latencies) / 1000
        return bps * max(0.0, 1 - latency_s / segment_s)

    def _push(self, kbps: int, took_ms: int, latency_ms: int) -> None:
        cached = took_ms < CACHE_MS
        if cached and self._samples and not self._from_cache:
            return
        if self._from_cache and not cached:
            self._samples, self._latencies = [], []
        self._from_cache = cached
        self._samples = [*self._samples, kbps][-KEPT:]
        self._latencies = [*self._latencies, latency_ms][-KEPT:]
