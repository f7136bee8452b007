"""festive: FESTIVE, made to share a bottleneck fairly and to switch seldom.

Source: J. Jiang, V. Sekar, H. Zhang, "Improving fairness, efficiency, and stability in HTTP-based
adaptive video streaming with FESTIVE", CoNEXT 2012, sections 4 and 5.
- Estimate w: harmonic mean of the last 20 downloads' throughputs.
- Reference level: one down when the current rate > 0.85 w; one up when the next rate <= 0.85 w
  and the current level k (1 the lowest) has held for k segments, so that high rates climb slowly.
- Delayed update: of current and reference level, the one of the lower
  stability + alpha * efficiency (alpha = 12); stability = 2^n for the current level and 2^(n+1)
  for the reference, n = switches in the last 20 s, so that each switch makes the next dearer;
  efficiency = |rate / min(w, reference rate) - 1|.
- Randomised target buffer: a segment is asked for when the buffer has room for it below a target
  drawn for each segment, evenly from buffer_s - 2 delta to buffer_s.
We differ thus: the paper's target lies within delta of the buffer size; here the upper end is the
buffer, since the player never holds more.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from weir_client.state import State


class Festive:
    """Level 0 first; then step by step."""

    def __init__(self, ladder: Sequence[float], options: dict[str, Any]) -> None:
        self._ladder = ladder
        self._options = options
        self._held = 0  # segments at the current level in a row
        self._switches_s: list[float] = []
        self.estimate_bps: float | None = None

    def choose(self, state: State) -> int:
        """Return the current level or the reference, whichever costs less."""
        if state.last is None:
            self._held = 1
            return 0
        recent = state.history[-self._options["window"] :]
        self.estimate_bps = w = len(recent) / sum(
            (d.last_byte_s - d.request_s) / (d.bytes * 8) for d in recent
        )
        current = state.previous_level
        reference = self._reference(current, self._options["share"] * w)
        oldest = state.now_s - self._options["switch_memory_s"]
        self._switches_s = [at for at in self._switches_s if at > oldest]
        if reference != current and self._worth_it(current, reference, w):
            self._switches_s.append(state.now_s)
            self._held = 1
            return reference
        self._held += 1
        return current

    def delay_s(self, state: State) -> float:
        """Seconds until the buffer has room below the target drawn for this segment."""
        delta_s = self._options["delta_s"]
        spread_s = 2 * (state.segment_s if delta_s is None else delta_s)
        target_s = state.buffer_max_s - spread_s * state.random()
        return max(0.0, state.buffer_s + state.segment_s - target_s) if state.playing else 0.0

    def _reference(self, current: int, usable_bps: float) -> int:
        if self._ladder[current] > usable_bps:
            return max(current - 1, 0)
        up = current + 1
        if up < len(self._ladder) and self._ladder[up] <= usable_bps and self._held > current:
            return up
        return current

    def _worth_it(self, current: int, reference: int, w: float) -> bool:
        n, alpha = len(self._switches_s), self._options["alpha"]
        best = min(w, self._ladder[reference])
        stay = 2**n + alpha * abs(self._ladder[current] / best - 1)
        move = 2 ** (n + 1) + alpha * abs(self._ladder[reference] / best - 1)
        return bool(move < stay)
