"""An LTE downlink of one user who walks.

The rate is Sprout's process (Winstein, Sivaraman, Balakrishnan, NSDI 2013, section 3.1): a Brownian
motion with a noise of 200 packets/s per root of a second, on links of about 500 packets/s; at zero
it stays, an outage, and leaves at a rate of 1 per second. Two things are ours: the rate drifts back
to its mean with a time constant of 10 s, since a Brownian motion has none, and it comes out of an
outage at a tenth of its mean. The round trip does not change: what waits at a base station is the
queue's part.
"""

from __future__ import annotations

from math import exp, sqrt
from random import Random
from typing import Final

from weir.trace_models.row import STEP_S, Row, normal

__all__ = ["lte"]

NOISE: Final = 200 / 500
"""Of the mean, per root of a second."""
ESCAPES_PER_S: Final = 1.0
DRIFT_S: Final = 10.0
AFTER_OUTAGE: Final = 0.1
RTT_S: Final = 0.05


def lte(steps: int, random: Random) -> list[Row]:
    """So many tenths of a second."""
    rate, rows = 1.0, list[Row]()
    for _ in range(steps):
        rows.append(Row(rate, RTT_S))
        if rate == 0:
            leaves = random.random() < 1 - exp(-ESCAPES_PER_S * STEP_S)
            rate = AFTER_OUTAGE if leaves else 0.0
            continue
        drift = (1 - rate) * STEP_S / DRIFT_S
        rate = max(0.0, rate + drift + NOISE * sqrt(STEP_S) * normal(random))
    return rows
