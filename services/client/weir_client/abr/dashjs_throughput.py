"""dashjs-throughput: dash.js's ThroughputRule with its safety rules.

Source: dash.js 5.2.1 ThroughputRule. The highest level whose rate <= 0.9 * average throughput
(see throughput.py for the average, dashjs_rules.py for what holds it back).
"""

from __future__ import annotations

from weir_client.abr.dashjs_rules import Rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from weir_client.state import State

__all__ = ["DashjsThroughput"]


class DashjsThroughput:
    """By average throughput."""

    def __init__(self, ladder: Sequence[float], options: dict[str, Any]) -> None:
        self._rules = Rules(ladder, options)
        self.estimate_bps: float | None = None

    def choose(self, state: State) -> int:
        """Return the highest safe level that the other rules allow."""
        self._rules.throughput.update(state)
        self.estimate_bps = self._rules.throughput.average_bps()
        return self._rules.hold_back(state, self._rules.safe_level(state))
