"""The downlink of a terminal of satellites in low Earth orbit, such as Starlink's.

Terminals get a satellite for slots of 15 s; from slot to slot the round trip jumps, and within one
it drifts as the satellite moves (Huston, Measuring Starlink Protocol Performance, NANOG 92). The
numbers beside the slot's are ours: a rate that is drawn log-normally with sigma 0.35 for each slot,
and again with sigma 0.15 for each second; a round trip of 30 to 55 ms at the slot's begin that
drifts by up to 6 ms either way; 0.1 % of packets lost throughout, and 10 % in the first tenth of a
second of a slot.
"""

from __future__ import annotations

from random import Random
from typing import Final

from weir.trace_models.row import Row, log_normal

__all__ = ["leo"]

SLOT_STEPS: Final = 150
SECOND_STEPS: Final = 10
SIGMA_OF_SLOTS: Final = 0.35
SIGMA_OF_SECONDS: Final = 0.15
LEAST_RTT_S: Final = 0.03
MOST_RTT_S: Final = 0.055
DRIFT_S: Final = 0.006
LOSS: Final = 0.001
LOSS_AT_CHANGE: Final = 0.1


def leo(steps: int, random: Random) -> list[Row]:
    """So many tenths of a second; the first slot may have begun before."""
    of_slot = of_second = rtt_s = drift_s = 0.0
    at = int(SLOT_STEPS * random.random())
    rows: list[Row] = []
    for number in range(steps):
        if number == 0 or at == 0:
            of_slot = log_normal(SIGMA_OF_SLOTS, random)
            rtt_s = LEAST_RTT_S + (MOST_RTT_S - LEAST_RTT_S) * random.random()
            drift_s = DRIFT_S * (2 * random.random() - 1)
        if number % SECOND_STEPS == 0:
            of_second = log_normal(SIGMA_OF_SECONDS, random)
        changes = at == 0 and number > 0
        rows.append(
            Row(
                of_slot * of_second,
                rtt_s + drift_s * at / SLOT_STEPS,
                LOSS_AT_CHANGE if changes else LOSS,
            )
        )
        at = (at + 1) % SLOT_STEPS
    return rows
