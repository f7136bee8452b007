"""bola: BOLA-O as dash.js codes it, with its safety rules.

Source: K. Spiteri, R. Urgaonkar, R. Sitaraman, "BOLA: near-optimal bitrate adaptation for online
videos", INFOCOM 2016; dash.js 5.2.1 BolaRule. With u_i = ln(b_i) - ln(b_0) + 1,
T = max(buffer, 10 s + 2 s * levels), gp = (u_max - 1) / (T / 10 s - 1), Vp = 10 s / gp, the level
maximises (Vp (u_i - 1 + gp) - (buffer + placeholder)) / b_i. That is positive up to 10 s of
buffer for the lowest level and up to T for the highest. A choice above both the last level and
the throughput's is lowered to the higher of the two (the O in BOLA-O).

The placeholder is media that the buffer would hold had nothing but the network held it back. It
starts at what fills the buffer up to least_s of the throughput's level, grows by the time in which
no download ran, shrinks by 1 % per segment, and is gone after a stall. When buffer + placeholder
exceed most_s of the level, the placeholder is used up first, then the player waits (not at the top
level). In dash.js both bounds lie Vp above where the scores cross (they use u, the score u - 1),
and so do ours. In 4.0.1 the score uses u, too.
We differ thus: a wait keeps the level chosen before it (dash.js asks its rules again); there is
no replacement of segments, hence no growth of the placeholder by it.
"""

from __future__ import annotations

from math import log

from weir_client.abr.dashjs_rules import Rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from weir_client.state import State

__all__ = ["Bola", "Parameters"]

MINIMUM_BUFFER_S = 10.0
PER_LEVEL_S = 2.0
PLACEHOLDER_DECAY = 0.99


class Parameters:
    """Vp (s), gp and the utilities of a ladder for a buffer of so many seconds."""

    def __init__(self, ladder: Sequence[float], buffer_s: float) -> None:
        self.ladder = ladder
        self.utilities = [log(rate) - log(ladder[0]) + 1 for rate in ladder]
        target_s = max(buffer_s, MINIMUM_BUFFER_S + PER_LEVEL_S * len(ladder))
        self.gp = (self.utilities[-1] - 1) / (target_s / MINIMUM_BUFFER_S - 1)
        self.vp_s = MINIMUM_BUFFER_S / self.gp

    def best(self, buffer_s: float, less: float = 1.0) -> int:
        """The level of the highest score; the higher level of equals. less: off each utility."""
        scores = [
            (self.vp_s * (utility - less + self.gp) - buffer_s) / rate
            for utility, rate in zip(self.utilities, self.ladder, strict=True)
        ]
        return max(range(len(scores)), key=lambda i: (scores[i], i))

    def least_s(self, level: int) -> float:
        """Vp above the buffer from which on the level beats all lower ones (0 for the lowest)."""
        mine, rate, least = self.utilities[level], self.ladder[level], 0.0
        for i in range(level):
            other, lower = self.utilities[i], self.ladder[i]
            cut = self.vp_s * (self.gp + (rate * other - lower * mine) / (rate - lower))
            least = max(least, cut)
        return least

    def most_s(self, level: int) -> float:
        """Vp above the buffer at which the level's score turns negative: time to wait."""
        return self.vp_s * (self.utilities[level] + self.gp)


class Bola:
    """By buffer, started from throughput."""

    def __init__(
        self, ladder: Sequence[float], options: dict[str, Any], rules: Rules | None = None
    ) -> None:
        self._own_rules = rules is None  # else the caller updates them and holds back
        self._rules = rules or Rules(ladder, options)
        self._ladder = ladder
        self._less = 0.0 if options["version"] == "4.0.1" else 1.0
        self._parameters: Parameters | None = None
        self._starting = True
        self._began_at: int | None = None  # segments there were at the first call
        self._stalled_s = 0.0
        self._seen = 0
        self._wait_s = 0.0
        self.placeholder_s = 0.0
        self.estimate_bps: float | None = None

    def choose(self, state: State) -> int:
        """Return BOLA-O's level."""
        if self._own_rules:
            self._rules.throughput.update(state)
            self.estimate_bps = self._rules.throughput.average_bps()
        self._wait_s = 0.0
        level = self._main(state) if len(self._ladder) > 1 else 0
        return self._rules.hold_back(state, level) if self._own_rules else level

    def delay_s(self, state: State) -> float:
        """Seconds to wait before the segment just chosen."""
        return self._wait_s

    def _main(self, state: State) -> int:
        if self._parameters is None:
            self._parameters = Parameters(self._ladder, state.buffer_max_s)
        safe = self._rules.safe_level(state)
        if self._starting:
            self._seen = len(state.history)
            if self._began_at is None:
                self._began_at = self._seen
            self.placeholder_s = max(0.0, self._parameters.least_s(safe) - state.buffer_s)
            begun = self._seen > self._began_at
            self._starting = not (begun and state.buffer_s >= state.segment_s)
            return safe
        self.observe(state)
        if state.last is not None:
            self.placeholder_s += max(0.0, state.now_s - state.last.last_byte_s)
        level = self._parameters.best(state.buffer_s + self.placeholder_s, self._less)
        if level > state.previous_level and level > safe:
            level = max(safe, state.previous_level)
        self._set_wait(state, self._parameters, level)
        return level

    def observe(self, state: State) -> None:
        """Take in the last download and stalls; to be called for each segment, chosen or not."""
        last = state.last
        if self._parameters is None or self._starting:
            self._stalled_s = state.stalled_s
            return
        if state.stalled_s > self._stalled_s:
            self.placeholder_s = 0.0
            self._stalled_s = state.stalled_s
        if last is not None and len(state.history) > self._seen:
            self.placeholder_s *= PLACEHOLDER_DECAY
            at_request_s = max(0.0, state.buffer_s - state.segment_s + state.now_s - last.request_s)
            room_s = max(0.0, self._parameters.most_s(last.level) - at_request_s)
            self.placeholder_s = min(self.placeholder_s, room_s)
            self._seen = len(state.history)

    def _set_wait(self, state: State, parameters: Parameters, level: int) -> None:
        excess_s = state.buffer_s + self.placeholder_s - parameters.most_s(level)
        if excess_s <= 0:
            return
        if excess_s <= self.placeholder_s:
            self.placeholder_s -= excess_s
            return
        if level < len(self._ladder) - 1:
            self._wait_s = excess_s - self.placeholder_s
        self.placeholder_s = 0.0
