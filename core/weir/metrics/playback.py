"""Where the playback of a live film is at each moment, from a player's notes of its changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from weir.metrics.link import Floats
from weir.records import EventRecord

__all__ = ["Playback", "playback_of"]


@dataclass(frozen=True)
class Playback:
    """From each of `times_s` (s since the experiment began) on, until the next: at `media_s`,
    moving by `speeds` s a second; 0 in a stall. buffers_s: media ahead then. made_before_s: how
    long the film's making had gone on at second 0.
    """

    times_s: Floats
    media_s: Floats
    speeds: Floats
    buffers_s: Floats
    made_before_s: float

    @property
    def began_s(self) -> float:
        """When something was played first, in s since the experiment began."""
        return float(self.times_s[0])

    def latency_s(self, at_s: Floats) -> Floats:
        """From a picture's making to its playing, at moments from began_s on."""
        last = np.searchsorted(self.times_s, at_s, side="right") - 1
        played = self.media_s[last] + self.speeds[last] * (at_s - self.times_s[last])
        found: Floats = at_s + self.made_before_s - played
        return found

    def latency_curve(self, until_s: float) -> tuple[Floats, Floats]:
        """Times and latencies, both in s, of the corners between which the latency changes
        linearly, up to until_s; two of one time where playback jumps.
        """
        ends_s = self._ends_s(until_s)
        at_ends_s = self.media_s + self.speeds * (ends_s - self.times_s)
        t = np.column_stack([self.times_s, ends_s]).ravel()
        y = t + self.made_before_s - np.column_stack([self.media_s, at_ends_s]).ravel()
        return t, y

    def stalls_s(self, until_s: float) -> tuple[Floats, Floats]:
        """The end of each stall and its length, both in s; one that goes on ends at until_s."""
        ends_s, stood = self._ends_s(until_s), self.speeds == 0
        return ends_s[stood], (ends_s - self.times_s)[stood]

    def _ends_s(self, until_s: float) -> Floats:
        """Until when what changed at each of times_s holds."""
        return np.append(self.times_s[1:], max(until_s, self.times_s[-1]))

    @property
    def jumps_s(self) -> Floats:
        """(changes - 1,) how far from where it would have been playback went on; below 0: back."""
        went = self.speeds[:-1] * np.diff(self.times_s)
        found: Floats = np.diff(self.media_s) - went
        return found


def playback_of(
    events: Sequence[EventRecord], client: int, made_before_s: float
) -> Playback | None:
    """Of a client; None where it played nothing."""
    own = [each for each in events if each["event"] == "playback" and each["client"] == client]
    if not own:
        return None
    rows = [(each["t_s"], each["media_s"], each["speed"], each["buffer_s"]) for each in own]
    times_s, media_s, speeds, buffers_s = np.array(rows).T
    return Playback(times_s, media_s, speeds, buffers_s, made_before_s)
