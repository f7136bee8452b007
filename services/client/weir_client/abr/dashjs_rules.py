"""The rules of dash.js that hold the main one back; the lowest answer wins.

Source: dash.js 5.2.1 (4.7.4, 4.0.1) InsufficientBufferRule, SwitchHistoryRule,
SwitchRequestHistory.
- Insufficient buffer: level 0 in a stall; else the highest level whose rate is at most
  0.7 (4.x: 0.5) * average throughput * buffer / segment duration. Silent for two segments.
  `stalls`: as Yanev et al. (NOSSDAV 2022) built it, level 0 in a stall and no bound.
- Switch history: of the last 8 choices, count by the level they left how many went down (drops)
  and how many did not. Going up the levels and summing, the first where at least 8 (4.x: 6) are
  counted and drops / no-drops > 0.075 is the limit; the level below if it saw a drop itself.
We differ thus: AbandonRequestsRule is left out, since it looks at a download while it runs and
so would read the clock for each packet; DroppedFramesRule, since nothing is decoded.
"""

from __future__ import annotations

from weir_client.abr.throughput import Throughput, highest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from weir_client.abr.throughput_history import ThroughputHistory
    from weir_client.state import State

IGNORED_SEGMENTS = 2
HISTORY = 8
DROP_RATIO = 0.075


class SwitchHistory:
    """The last choices as (level before, level after)."""

    def __init__(self, sample: int) -> None:
        self._sample = sample
        self._switches: list[tuple[int, int]] = []

    def push(self, before: int, after: int) -> None:
        """Remember a choice."""
        self._switches = [*self._switches, (before, after)][-HISTORY:]

    def limit(self, levels: int) -> int:
        """The highest level allowed."""
        drops = others = 0
        for level in range(levels):
            mine = [after < level for before, after in self._switches if before == level]
            drops += sum(mine)
            others += len(mine) - sum(mine)
            if mine and drops + others >= self._sample and drops > DROP_RATIO * others:
                return level - 1 if level > 0 and any(mine) else level
        return levels - 1


def _average(version: int | str) -> Throughput | ThroughputHistory:
    if version == "4.0.1":
        from weir_client.abr.throughput_history import ThroughputHistory  # noqa: PLC0415

        return ThroughputHistory()
    return Throughput(int(version))


class Rules:
    """Throughput and the two rules, shared by the dash.js algorithms."""

    def __init__(self, ladder: Sequence[float], options: dict[str, Any]) -> None:
        self.ladder = ladder
        self.throughput = _average(options["version"])
        self._options = options
        self._factor = 0.7 if options["version"] == 5 else 0.5
        self._history = SwitchHistory(8 if options["version"] == 5 else 6)

    def safe_level(self, state: State) -> int:
        """ThroughputRule: the highest level within safety * average."""
        average = self.throughput.average_bps()
        if average is None:
            average = self._options["initial_bps"]
            return highest(self.ladder, self.throughput, average, state.segment_s)
        return highest(
            self.ladder, self.throughput, average * self._options["safety"], state.segment_s
        )

    def hold_back(self, state: State, level: int) -> int:
        """Lower the main rule's level as the other rules want, and remember the choice."""
        if self._options["insufficient_buffer"]:
            level = min(level, self._insufficient_buffer(state))
        if self._options["switch_history"]:
            level = min(level, self._history.limit(len(self.ladder)))
        if state.previous_level >= 0:
            self._history.push(state.previous_level, level)
        return level

    def _insufficient_buffer(self, state: State) -> int:
        average = self.throughput.average_bps()
        if len(state.history) < IGNORED_SEGMENTS or average is None:
            return len(self.ladder) - 1
        if not state.playing:
            return 0
        if self._options["insufficient_buffer"] == "stalls":
            return len(self.ladder) - 1
        bps = self._factor * average * state.buffer_s / state.segment_s
        return highest(self.ladder, self.throughput, bps, state.segment_s)
