"""What is observed: a vector of float32, of the kind that Pensieve's agent has (Mao et al. 2017).

In order: buffer_s; last_mbps, the bitrate of the last segment that came; segments_left, of the
film, or as many as the time that is left takes to play; then, of the last HISTORY segments that
came, newest last, the throughput from request to last byte (Mbit/s) and the download time (s); then
the size of the coming segment at each level (MB). 0 where there is none.
"""

from __future__ import annotations

from collections import deque

import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray
from weir.resolved import Experiment
from weir_client.content import Content
from weir_lab.asking import Question

__all__ = ["HISTORY", "Observation", "Observer", "names_of", "space_of"]

HISTORY = 8
Observation = NDArray[np.float32]


def names_of(levels: int) -> tuple[str, ...]:
    """What each value of an observation is, with its unit."""
    ages = range(HISTORY, 0, -1)
    return (
        "buffer_s",
        "last_mbps",
        "segments_left",
        *(f"throughput_mbps_{age}" for age in ages),
        *(f"download_s_{age}" for age in ages),
        *(f"size_mb_{level}" for level in range(levels)),
    )


def space_of(levels: int) -> Box[np.float32]:
    """Of a ladder of so many levels."""
    return Box(0.0, np.inf, (len(names_of(levels)),), np.float32)


class Observer:
    """Of one episode. client: 1-based."""

    def __init__(self, experiment: Experiment, client: int) -> None:
        self._content = Content(experiment["content"])
        stop_s = experiment["clients"][client - 1]["stop_s"]
        end_s = experiment["duration_s"]
        self._end_s = end_s if stop_s is None else min(stop_s, end_s)
        self._throughput_mbps = deque([0.0] * HISTORY, HISTORY)
        self._download_s = deque([0.0] * HISTORY, HISTORY)
        self._last_mbps = 0.0

    def came(self, bitrate_bps: float, size_bytes: int, download_s: float) -> None:
        """A segment that is there."""
        self._last_mbps = bitrate_bps / 1e6
        self._throughput_mbps.append(size_bytes * 8 / download_s / 1e6)
        self._download_s.append(download_s)

    def at(self, question: Question) -> Observation:
        """When a level is asked for."""
        sizes_mb = [
            self._content.size_of(level, question.segment) / 1e6
            for level in range(len(self._content.bitrates_bps))
        ]
        return self._vector(question.buffer_s, self._left(question), sizes_mb)

    def at_end(self, buffer_s: float) -> Observation:
        """When nothing more is asked for."""
        return self._vector(buffer_s, 0.0, [0.0] * len(self._content.bitrates_bps))

    def _left(self, question: Question) -> float:
        by_time = max(0.0, self._end_s - question.now_s) / self._content.segment_s
        if self._content.segments is None:
            return by_time
        return min(by_time, self._content.segments - question.segment)

    def _vector(self, buffer_s: float, left: float, sizes_mb: list[float]) -> Observation:
        return np.array(
            [buffer_s, self._last_mbps, left, *self._throughput_mbps, *self._download_s, *sizes_mb],
            np.float32,
        )
