"""The throughput averages of dash.js, versions 5.x and 4.x.

Source: dash.js 5.2.1 ThroughputController and ThroughputModel; 4.7.4 ThroughputHistory.
A sample is bytes * 8 / (first byte to last byte) and the latency is (request to first byte), as
with dash.js's default useDeadTimeLatency.
5.x: two exponentially weighted averages, half-lives 3 and 8, a sample weighing 1.5 per second of
download (weightDownloadTimeMultiplicationFactor 0.0015 per ms), so 2 s and 5.3 s of download
time; each corrected for its start by 1 - 0.5^(total weight/half-life); the lower counts.
4.x: the mean of the last 4 samples; and what a bitrate may be is lowered by the share of a
segment's duration that the mean latency takes.
We differ thus: dash.js leaves out responses faster than 50 ms, which a browser's cache may have
given (there is no cache here); 4.x widens its window when neighbouring samples differ a lot
(throughput_history.py does both, as 4.0.1 did).
"""

from __future__ import annotations

from weir_client.abr import highest_within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from weir_client.abr.throughput_history import ThroughputHistory
    from weir_client.state import Download, State

FAST_HALF_LIFE, SLOW_HALF_LIFE = 3.0, 8.0
WEIGHT_PER_S = 1.5
SAMPLES_4 = 4


def sample_of(download: Download) -> tuple[float, float, float]:
    """Throughput (bit/s), download time (s) and latency (s) of one download."""
    took = download.last_byte_s - download.first_byte_s
    latency = download.first_byte_s - download.request_s
    if took <= 0:  # it came in one piece: the wait for it is all there is to measure
        took, latency = max(latency, 1e-6), 0.0
    return download.bytes * 8 / took, took, latency


class Ewma:
    """The 5.x average."""

    def __init__(self) -> None:
        self._fast = self._slow = self._weight = 0.0

    def add(self, bps: float, took_s: float) -> None:
        """Add a sample, weighted by its download time."""
        weight = WEIGHT_PER_S * took_s
        keep: float = 0.5 ** (weight / FAST_HALF_LIFE)
        self._fast = keep * self._fast + (1 - keep) * bps
        keep = 0.5 ** (weight / SLOW_HALF_LIFE)
        self._slow = keep * self._slow + (1 - keep) * bps
        self._weight += weight

    def average_bps(self) -> float | None:
        """The lower of the two averages; None before the first sample."""
        if self._weight <= 0:
            return None
        fast: float = self._fast / (1 - 0.5 ** (self._weight / FAST_HALF_LIFE))
        slow: float = self._slow / (1 - 0.5 ** (self._weight / SLOW_HALF_LIFE))
        return min(fast, slow)


class Throughput:
    """What dash.js believes about the network, fed from state.last."""

    def __init__(self, version: int) -> None:
        self._version = version
        self._ewma = Ewma()
        self._samples: list[float] = []
        self._latencies: list[float] = []
        self._seen = 0

    def update(self, state: State) -> None:
        """Take in the downloads since the last call."""
        for download in state.history[self._seen :]:
            bps, took_s, latency_s = sample_of(download)
            self._ewma.add(bps, took_s)
            self._samples = [*self._samples, bps][-SAMPLES_4:]
            self._latencies = [*self._latencies, latency_s][-SAMPLES_4:]
        self._seen = len(state.history)

    def average_bps(self) -> float | None:
        """The average without a safety factor; None before the first sample."""
        if self._version == 5:
            return self._ewma.average_bps()
        return sum(self._samples) / len(self._samples) if self._samples else None

    def usable_bps(self, bps: float, segment_s: float) -> float:
        """What of a rate is left for segments, since each also waits for its first byte (4.x)."""
        if self._version == 5 or not self._latencies:
            return bps
        latency_s = sum(self._latencies) / len(self._latencies)
        return bps * max(0.0, 1 - latency_s / segment_s)


def highest(
    ladder: Sequence[float],
    throughput: Throughput | ThroughputHistory,
    bps: float,
    segment_s: float,
) -> int:
    """The highest level that a rate carries; 0 if none."""
    return highest_within(ladder, throughput.usable_bps(bps, segment_s))
