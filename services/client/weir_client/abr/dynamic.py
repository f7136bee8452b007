"""dynamic: dash.js's default: throughput while the buffer is low, BOLA once it is not.

Source: K. Spiteri, R. Sitaraman, D. Sparacio, "From theory to practice: improving bitrate
adaptation in the DASH reference player", MMSys 2018, section 5; dash.js AbrController.
BOLA takes over at a buffer of on_s or more and hands back below off_s.
"""

from __future__ import annotations

from weir_client.abr import dashjs_rules
from weir_client.abr.bola import Bola

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from weir_client.state import State


class Dynamic:
    """Throughput or BOLA, by buffer."""

    def __init__(self, ladder: Sequence[float], options: dict[str, Any]) -> None:
        self._rules = dashjs_rules.Rules(ladder, options)
        self._bola = Bola(ladder, options, self._rules)
        self._on_s, self._off_s = options["on_s"], options["off_s"]
        self.by_buffer = False
        self.estimate_bps: float | None = None

    def choose(self, state: State) -> int:
        """Return the level of whichever algorithm is in charge."""
        self._rules.throughput.update(state)
        self.estimate_bps = self._rules.throughput.average_bps()
        self.by_buffer = state.buffer_s >= (self._off_s if self.by_buffer else self._on_s)
        self._bola.observe(state)
        main = self._bola.choose(state) if self.by_buffer else self._rules.safe_level(state)
        return self._rules.hold_back(state, main)

    def delay_s(self, state: State) -> float:
        """Seconds to wait before the segment just chosen."""
        return self._bola.delay_s(state) if self.by_buffer else 0.0
