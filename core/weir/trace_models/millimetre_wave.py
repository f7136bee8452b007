"""A 5G downlink of millimetre waves to one user who walks.

Such links are fast in line of sight and fall back to a fraction of that while a body or a wall is
in the way (Narayanan et al., A First Look at Commercial 5G Performance on Smartphones, WWW 2020).
The numbers are ours: exponential times of 8 s in sight and 2 s blocked; a tenth of the rate while
blocked; a log-normal factor with sigma 0.3 that is drawn anew each half second; a round trip of
25 ms, 40 ms while blocked; 2 % of packets lost in the tenth of a second in which the one becomes
the other.
"""

from __future__ import annotations

from random import Random
from typing import Final

from weir.trace_models.row import STEP_S, Row, exponential_s, log_normal

__all__ = ["millimetre_wave"]

IN_SIGHT_S: Final = 8.0
BLOCKED_S: Final = 2.0
BLOCKED: Final = 0.1
SIGMA: Final = 0.3
REDRAWN_STEPS: Final = 5
RTT_S: Final = 0.025
RTT_BLOCKED_S: Final = 0.04
LOSS_AT_CHANGE: Final = 0.02


def millimetre_wave(steps: int, random: Random) -> list[Row]:
    """So many tenths of a second."""
    blocked, changes, factor = False, False, 1.0
    left_s = exponential_s(IN_SIGHT_S, random)
    rows: list[Row] = []
    for number in range(steps):
        if number % REDRAWN_STEPS == 0:
            factor = log_normal(SIGMA, random)
        rate, rtt_s = (BLOCKED, RTT_BLOCKED_S) if blocked else (1.0, RTT_S)
        rows.append(Row(rate * factor, rtt_s, LOSS_AT_CHANGE if changes else 0.0))
        left_s -= STEP_S
        changes = left_s <= 0
        if changes:
            blocked = not blocked
            left_s = exponential_s(BLOCKED_S if blocked else IN_SIGHT_S, random)
    return rows
